import LindenKernel

/// A checked link to be created, with its path.
package struct LinkDraft: Sendable {
    package let new: NewLink
    let path: String
    /// The content object that the link is about.
    let object: ObjectDescription?
    /// The link's data as compact JSON.
    let dataText: String
    private var bytes: Int { 512 + dataText.utf8.count }

    init(new: NewLink, path: String) {
        self.new = new
        self.path = path
        object = ObjectDescription(linkData: new.data)
        dataText = JSON.object(new.data).text
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
        // Identifiers by their bytes, as the database compares them.
        var objects: Set<[UInt8]> = []
        for index in drafts.indices {
            guard case .success(let draft) = drafts[index] else { continue }
            var added = draft.bytes
            // An object is read and written once per batch.
            if let object = draft.object, !objects.contains(Array(object.identifier.utf8)) { added += UniversalObject.largestData }
            if index > start, bytes + added > largestBatchBytes || index - start >= largestBatch {
                batches.append(drafts[start..<index])
                (start, bytes, objects) = (index, 0, [])
            }
            bytes += added
            if let object = draft.object { objects.insert(Array(object.identifier.utf8)) }
        }
        if start < drafts.endIndex { batches.append(drafts[start...]) }
        return batches
    }
}
