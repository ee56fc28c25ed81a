import Crypto
import LindenKernel
import LinkRouting

/// An idempotency key: identifies the retries of one call.
package struct RequestKey: Sendable, Hashable {
    /// Equal for all tries of one call, and unique to that call within its scope.
    package let text: String
    /// The time after the first try within which an equal key counts as a retry.
    package let window: Duration
    /// Whether the call can only be a first try. Old SDKs number their tries and send no id; the first try of a new call may then equal an
    /// earlier call.
    package let isFirstTry: Bool

    package init(text: String, window: Duration = RequestKey.longestWindow, isFirstTry: Bool = false) {
        self.text = text
        self.window = window
        self.isFirstTry = isFirstTry
    }

    package static let longestWindow: Duration = .seconds(86400)

    /// Returns the key extended by a text, such as the id of an identity or of a part of the call. All but the name of the call is hashed,
    /// since stored keys must not reveal identities.
    package func extended(by text: String) -> RequestKey {
        let call = self.text.prefix { $0 != " " }
        return RequestKey(
            text: call + " " + JSON.array([.string(self.text), .string(text)]).hash, window: window, isFirstTry: isFirstTry)
    }
}

extension RequestKey {
    /// Returns the key for calls from one client: an IPv4 address or an IPv6 /64. The result is a keyed hash, because stored keys must not
    /// reveal addresses; its key exists only in this process, so after a restart it identifies no earlier try.
    package func bound(to address: ClientAddress) -> RequestKey {
        let code = HMAC<SHA256>.authenticationCode(for: Array((text + " " + address.matchKey).utf8), using: Self.addressSecret)
        return RequestKey(text: Hex.encode(code), window: window, isFirstTry: isFirstTry)
    }

    private static let addressSecret = SymmetricKey(size: .bits256)
}

package protocol RequestReader {
    /// Whether any recorded call is older than `time`.
    func hasRequests(before time: Timestamp) throws -> Bool
}

package protocol RequestRepository: RequestReader {
    /// Returns the row that an earlier try of a call created; nil if there was none since `oldest`.
    func rowMade(by key: String, in scope: Scope, since oldest: Timestamp) throws -> Int64?
    func remember(_ key: String, in scope: Scope, made row: Int64, at time: Timestamp) throws
    func deleteRequests(before time: Timestamp, limit: Int) throws
}

extension RequestRepository where Self: SnapshotReader {
    /// Runs `body` at most once per idempotency key and window: a retry gets the result of the first try, even after a crash, since the
    /// result and the key are written in one transaction.
    ///
    /// - Parameters:
    ///   - earlier: returns the result of the first try, given its row; nil if the row no longer exists, in which case `body` runs again.
    ///   - body: performs the call, and returns its result and the row that it created.
    package func idempotently<Value, Row>(
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
