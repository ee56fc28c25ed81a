/// A call that moves credits, and by what its retries are recognised.
package struct CreditCall: Sendable {
    package static let longestKey = 255

    /// Chosen by the one who calls: the same for every try, for good.
    package let idempotencyKey: String?
    /// From SDKs, which choose none.
    package let requestKey: RequestKey?

    /// Whether the caller is the operator or a server of the app's. Others have keys of their own, so that nobody takes one away from these.
    let isTrusted: Bool

    /// Fails with `invalid` for a key that cannot be one.
    package init(idempotencyKey: String? = nil, requestKey: RequestKey? = nil, isTrusted: Bool = true) throws {
        if let key = idempotencyKey {
            guard (1...Self.longestKey).contains(key.utf8.count), !key.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
                throw Failure.invalid("An idempotency key must have 1 to \(Self.longestKey) bytes and no control characters.")
            }
        }
        self.isTrusted = isTrusted
        self.idempotencyKey = idempotencyKey
        self.requestKey = requestKey
    }
}

extension Transaction {
    /// Does what a call about credits asks for, once for all its tries.
    ///
    /// An app's key, and the id by which its SDK tells a retry, are those of one user: another's call with the same one is another call.
    /// The same key with another wish is refused, since one of the two would be lost unnoticed.
    ///
    /// - Parameters:
    ///   - user: whom the call is about; nil for a rule.
    ///   - body: does it upon the claims given, and says what row it made.
    func once<Row>(
        _ call: CreditCall, by user: Identity.ID?, asked: AskedCredits, in scope: Scope,
        body: ([CreditClaim]) throws -> Identifier<Row>
    ) throws -> Identifier<Row> {
        let asked = asked.text(user)
        if let key = call.idempotencyKey {
            let owner = call.isTrusted ? nil : user
            let claim = owner.map { CreditClaim.key(key, of: $0, asked: asked) } ?? .key(key, asked: asked)
            if let earlier = try creditClaim(claim.text, in: scope) {
                guard earlier.asked == asked else { throw Failure.otherCall("idempotency key") }
                return Identifier(rawValue: earlier.transaction.rawValue)
            }
            return try body([claim])
        }
        guard let key = call.requestKey?.extended(by: user.map { "user \($0)" } ?? "") else { return try body([]) }
        let wish = key.extended(by: asked)
        if !key.isFirstTry, try rowMade(by: key.text, in: scope, since: now - key.window) != nil,
            try rowMade(by: wish.text, in: scope, since: now - key.window) == nil
        {
            throw Failure.otherCall("branch_sdk_request_unique_id")
        }
        return try once(key, in: scope, earlier: { $0 }) {
            let id = try body([])
            try remember(wish.text, in: scope, made: id.rawValue, at: now)
            return (id, id)
        }
    }
}

/// What a call about credits asks for, the same for each try.
struct AskedCredits {
    let words: String
    /// What few calls say. Long as it may be, it is kept as a hash.
    private let details: JSONObject

    init(_ words: String, _ details: JSONObject = [:]) {
        self.words = words
        self.details = details.filter { !$1.isNull }
    }

    fileprivate func text(_ user: Identity.ID?) -> String {
        let start = user.map { "\(words) user \($0)" } ?? words
        return details.isEmpty ? start : "\(start) \(JSON.object(details).sorted.hash)"
    }
}

extension CreditReason {
    var details: JSONObject {
        [
            "event": JSON(event), "metadata": metadata.map(JSON.object) ?? .null, "referrer": JSON(referrer),
            "referree": JSON(referree),
        ]
    }
}

extension Failure {
    fileprivate static func otherCall(_ what: String) -> Failure {
        Failure(.conflict, "This \(what) came with another call before: choose a new one for each call.")
    }
}
