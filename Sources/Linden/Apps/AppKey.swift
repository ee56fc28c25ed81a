/// A branch key: public, in every shipped app. It says which side of which app a call belongs to.
package struct AppKey: Sendable {
    /// `key_live_` or `key_test_` and 32 letters and digits.
    package let branchKey: String
    package let scope: Scope
    /// The hash of the side's present secret, which is shown once and not kept.
    package let secretHash: [UInt8]
    /// When a newer key took its place; nil for the present key.
    package let replacedAt: Timestamp?
    /// When calls with it end; nil for never.
    package let endsAt: Timestamp?

    package init(
        branchKey: String, scope: Scope, secretHash: [UInt8], replacedAt: Timestamp? = nil, endsAt: Timestamp? = nil
    ) {
        self.branchKey = branchKey
        self.scope = scope
        self.secretHash = secretHash
        self.replacedAt = replacedAt
        self.endsAt = endsAt
    }

    package func hasEnded(at time: Timestamp) -> Bool { endsAt.map { $0 <= time } ?? false }

    /// A new key with a new secret.
    package static func make(for scope: Scope, random: RandomSource) -> (key: AppKey, secret: String) {
        let secret = newSecret(for: scope, random: random)
        return (make(for: scope, secretHash: Secret.hash(secret), random: random), secret)
    }

    /// A new key of a side that has a secret.
    static func make(for scope: Scope, secretHash: [UInt8], random: RandomSource) -> AppKey {
        AppKey(branchKey: "key_\(scope.mode.name)_" + random.alphanumerics(32), scope: scope, secretHash: secretHash)
    }

    static func newSecret(for scope: Scope, random: RandomSource) -> String {
        "secret_\(scope.mode.name)_" + random.alphanumerics(32)
    }
}

/// A secret of one side of an app that a newer one took the place of.
package struct FormerSecret: Sendable {
    package let scope: Scope
    package let hash: [UInt8]
    package let replacedAt: Timestamp
    /// Until when it is accepted beside the present one; nil for as long as it is not ended.
    package let endsAt: Timestamp?

    package init(scope: Scope, hash: [UInt8], replacedAt: Timestamp, endsAt: Timestamp?) {
        self.scope = scope
        self.hash = hash
        self.replacedAt = replacedAt
        self.endsAt = endsAt
    }

    package func hasEnded(at time: Timestamp) -> Bool { endsAt.map { $0 <= time } ?? false }
}
