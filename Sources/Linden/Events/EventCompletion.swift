import LindenKernel

/// The body of a recorded event, completed by an authenticated report of the same event. Parsed, merged and serialised before the
/// transaction that stores it, because a body may have a megabyte.
struct EventCompletion: Sendable {
    /// The stored body as it was read.
    let storedText: String
    let before: JSONObject
    /// The identifiers of the content that the stored body names, by their bytes, as the database compares them.
    let namedContent: Set<[UInt8]>
    let completed: JSONObject
    let text: String

    /// Fails if the stored body is not JSON.
    init(of storedText: String, by report: JSONObject) throws {
        self.storedText = storedText
        before = try JSON.parse(storedText).object ?? [:]
        namedContent = before.namedContent
        completed = before.completed(by: report)
        text = JSON.object(completed).text
    }

    /// Whether the body is still stored as it was read. Compares bytes.
    func isCurrent(_ text: String) -> Bool {
        storedText.hasSameBytes(as: text)
    }
}

/// Ends a transaction whose event completes an earlier one: its body is large, and was not read before the transaction or has changed
/// since. The body must be merged outside the transaction, because other writers would wait. The transaction is then repeated.
struct UnreadEvent: Error {
    let event: Event.ID

    /// The length of both bodies together, in bytes, up to which they are merged within a transaction. Repeating it takes longer.
    static let smallLength = 4096
}

extension JSONObject {
    fileprivate var namedContent: Set<[UInt8]> {
        let items = self["content_items"].map { $0.array ?? [$0] } ?? []
        return Set(items.compactMap { $0.object.flatMap { UniversalObject.identifier(in: $0) } }.map { Array($0.utf8) })
    }

    /// Returns the body of an event completed by an authenticated report of the same event, whose members replace those of the body. Their
    /// `user_data` is merged, since an app knows its device and a server does not.
    fileprivate func completed(by report: JSONObject) -> JSONObject {
        var completed = merging(report)
        if let user = self["user_data"]?.object, let reported = report["user_data"]?.object {
            completed["user_data"] = .object(user.merging(reported))
        }
        return completed
    }
}
