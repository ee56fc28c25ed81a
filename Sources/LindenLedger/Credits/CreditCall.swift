import Linden
import LindenKernel

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

/// A read-write transaction, as far as the retries of calls need it: the keys of earlier calls, and the time.
package protocol CallTransaction: CreditReader, RequestRepository, SnapshotReader {}

extension CreditCall {
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
        by user: Identity.ID?, asked: RequestFingerprint, in scope: Scope, _ transaction: any CallTransaction,
        body: ([UniquenessKey]) throws -> Identifier<Row>
    ) throws -> Identifier<Row> {
        let asked = asked.text(user)
        if let key = idempotencyKey {
            let owner = isTrusted ? nil : user
            let claim = owner.map { UniquenessKey.key(key, of: $0, asked: asked) } ?? .key(key, asked: asked)
            if let earlier = try transaction.creditClaim(claim.text, in: scope) {
                guard earlier.asked == asked else { throw Failure.otherCall("idempotency key") }
                return Identifier(rawValue: earlier.transaction.rawValue)
            }
            return try body([claim])
        }
        guard let key = requestKey?.extended(by: user.map { "user \($0)" } ?? "") else { return try body([]) }
        let callKey = key.extended(by: asked)
        let (now, oldest) = (transaction.now, transaction.now - key.window)
        if !key.isFirstTry, try transaction.rowMade(by: key.text, in: scope, since: oldest) != nil,
            try transaction.rowMade(by: callKey.text, in: scope, since: oldest) == nil
        {
            throw Failure.otherCall("branch_sdk_request_unique_id")
        }
        return try transaction.idempotently(key, in: scope, earlier: { $0 }) {
            let id = try body([])
            try transaction.remember(callKey.text, in: scope, made: id.rawValue, at: now)
            return (id, id)
        }
    }
}

/// A uniqueness key: an action that may happen only once in a scope.
package struct UniquenessKey: Sendable {
    package let text: String
    /// The fingerprint of the request, if the caller chose the key.
    let asked: String?

    private init(_ text: String, asked: String? = nil) {
        self.text = text
        self.asked = asked
    }

    /// The claim of a trusted call with an idempotency key. The key is kept forever, unlike a ``RequestKey``.
    static func key(_ key: String, asked: String) -> UniquenessKey { UniquenessKey("key " + key, asked: asked) }

    /// The claim of an app's call with an idempotency key. Each identity has a separate key space, so that it cannot occupy a key of
    /// another identity or of a server.
    static func key(_ key: String, of user: Identity.ID, asked: String) -> UniquenessKey {
        UniquenessKey("app's key \(user) \(key)", asked: asked)
    }

    static func reversal(of id: CreditTransaction.ID) -> UniquenessKey { UniquenessKey("reversal \(id)") }

    /// The move of an anonymous identity's credits to the identity that logged in there.
    package static func merge(of user: Identity.ID) -> UniquenessKey { UniquenessKey("merge \(user)") }

    /// The reward of a rule for the first action of an identity or device.
    static func rule(_ rule: RewardRule.ID, actor: Identity.ID) -> UniquenessKey { UniquenessKey("rule \(rule) user \(actor)") }
    static func rule(_ rule: RewardRule.ID, device: Device.ID) -> UniquenessKey { UniquenessKey("rule \(rule) device \(device)") }

    static func code(_ code: ReferralCode.ID, user: Identity.ID) -> UniquenessKey { UniquenessKey("code \(code) user \(user)") }
    static func code(_ code: ReferralCode.ID, device: Device.ID) -> UniquenessKey { UniquenessKey("code \(code) device \(device)") }
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

extension RequestedCause {
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
