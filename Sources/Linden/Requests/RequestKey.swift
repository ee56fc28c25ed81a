/// By what a retried call is recognised.
package struct RequestKey: Sendable, Hashable {
    /// The same for every try of one call, and for no other call of the scope.
    package let text: String
    /// How long after the first try a further one counts as the same call.
    package let window: Duration
    /// Whether the call may be a first try only. Old SDKs number their tries and send no id; the first try of a new call may then
    /// well equal an earlier call.
    package let isFirstTry: Bool

    package init(text: String, window: Duration = RequestKey.longestWindow, isFirstTry: Bool = false) {
        self.text = text
        self.window = window
        self.isFirstTry = isFirstTry
    }

    package static let longestWindow: Duration = .seconds(86400)

    /// The same key among those of one user, or of one wish.
    func extended(by text: String) -> RequestKey {
        RequestKey(text: self.text + " " + text, window: window, isFirstTry: isFirstTry)
    }
}

package protocol RequestReader {
    /// Whether any remembered call is older than that.
    func hasRequests(before time: Timestamp) throws -> Bool
}

package protocol RequestRepository: RequestReader {
    /// What an earlier try of a call made; nil if there was none since `oldest`.
    func rowMade(by key: String, in scope: Scope, since oldest: Timestamp) throws -> Int64?
    func remember(_ key: String, in scope: Scope, made row: Int64, at time: Timestamp) throws
    func deleteRequests(before time: Timestamp, limit: Int) throws
}

extension Transaction {
    /// Does what a call asks for, once: a retry is given what the first try made, also after a crash, since both are written in one
    /// transaction.
    ///
    /// - Parameters:
    ///   - earlier: finds what the first try made; nil if that is gone, and the call is then done anew.
    ///   - body: does it, and says what row it made.
    func once<Value, Row>(
        _ key: RequestKey?, in scope: Scope, earlier: (Identifier<Row>) throws -> Value?,
        body: () throws -> (Value, Identifier<Row>)
    ) throws -> Value {
        guard let key else { return try body().0 }
        if !key.isFirstTry, let row = try rowMade(by: key.text, in: scope, since: now - key.window),
            let value = try earlier(Identifier(rawValue: row))
        {
            return value
        }
        let (value, row) = try body()
        try remember(key.text, in: scope, made: row.rawValue, at: now)
        return value
    }
}
