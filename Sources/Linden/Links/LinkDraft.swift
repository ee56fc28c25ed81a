/// A checked link to be created, with its path.
struct LinkDraft: Sendable {
    let new: NewLink
    let path: String
    /// The content object that the link is about.
    let object: ObjectDescription?
    private let bytes: Int

    init(new: NewLink, path: String) {
        self.new = new
        self.path = path
        object = ObjectDescription(linkData: new.data)
        bytes = 512 + JSON.object(new.data).bytes.count
    }
}

extension LinkDraft {
    /// The maximum number of links per batch, so that other writers do not wait long.
    private static let largestBatch = 500
    private static let largestBatchBytes = 524_288

    /// Splits drafts into batches, each of which writes a bounded amount of data. ``ExistingLinks`` bounds what a transaction reads.
    static func batches(_ drafts: [Result<LinkDraft, Failure>]) -> [ArraySlice<Result<LinkDraft, Failure>>] {
        var batches: [ArraySlice<Result<LinkDraft, Failure>>] = []
        var (start, bytes) = (drafts.startIndex, 0)
        var objects: Set<String> = []
        for index in drafts.indices {
            guard case .success(let draft) = drafts[index] else { continue }
            var added = draft.bytes
            // An object is read and written once per batch.
            if let object = draft.object, !objects.contains(object.identifier) { added += UniversalObject.largestData }
            if index > start, bytes + added > largestBatchBytes || index - start >= largestBatch {
                batches.append(drafts[start..<index])
                (start, bytes, objects) = (index, 0, [])
            }
            bytes += added
            if let object = draft.object { objects.insert(object.identifier) }
        }
        if start < drafts.endIndex { batches.append(drafts[start...]) }
        return batches
    }
}
