/// A call that moves credits, with the keys that identify its retries.
package struct CreditCall: Sendable {
    package static let longestKey = 255

    /// The key chosen by the caller: unique for each call, the same for all its retries, and kept forever.
    package let idempotencyKey: String?
    /// The request key of a call by an SDK. SDKs send no idempotency key.
    package let requestKey: RequestKey?

    /// Whether the caller is the operator or a customer's server. The keys of other callers are separate for each identity, so that they
    /// cannot occupy a trusted caller's key.
    let isTrusted: Bool

    /// Fails with `invalid` for an empty or too long idempotency key or one with control characters.
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
    /// Runs `body` at most once per idempotency key. Same key, same request: the earlier result. Same key, other request: `conflict`, since
    /// one of the two requests would be lost unnoticed.
    ///
    /// The idempotency keys of untrusted callers and the request keys of SDKs are scoped to an identity: a call for another identity with
    /// the same key is another call.
    ///
    /// - Parameters:
    ///   - user: the identity that the call is about; nil for a rule or a reversal.
    ///   - body: performs the request, takes the claims it is given, and returns the id of the row it created.
    func idempotently<Row>(
        _ call: CreditCall, by user: Identity.ID?, asked: RequestFingerprint, in scope: Scope,
        body: ([UniquenessKey]) throws -> Identifier<Row>
    ) throws -> Identifier<Row> {
        let asked = asked.text(user)
        if let key = call.idempotencyKey {
            let owner = call.isTrusted ? nil : user
            let claim = owner.map { UniquenessKey.key(key, of: $0, asked: asked) } ?? .key(key, asked: asked)
            if let earlier = try creditClaim(claim.text, in: scope) {
                guard earlier.asked == asked else { throw Failure.otherCall("idempotency key") }
                return Identifier(rawValue: earlier.transaction.rawValue)
            }
            return try body([claim])
        }
        guard let key = call.requestKey?.extended(by: user.map { "user \($0)" } ?? "") else { return try body([]) }
        let requestKey = key.extended(by: asked)
        if !key.isFirstTry, try rowMade(by: key.text, in: scope, since: now - key.window) != nil,
            try rowMade(by: requestKey.text, in: scope, since: now - key.window) == nil
        {
            throw Failure.otherCall("branch_sdk_request_unique_id")
        }
        return try idempotently(key, in: scope, earlier: { $0 }) {
            let id = try body([])
            try remember(requestKey.text, in: scope, made: id.rawValue, at: now)
            return (id, id)
        }
    }
}

/// The fingerprint of a request about credits, the same for each retry.
struct RequestFingerprint {
    let words: String
    /// Optional fields of the request. Since they may be long, only their hash is stored.
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
        Failure(.conflict, "This \(what) was used for another call before. Use a new one for each call.")
    }
}
