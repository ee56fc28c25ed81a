import LindenKernel

/// A branch key. It is public, since every build of the app contains it, and identifies the app and side of a call.
package struct AppKey: Sendable {
    /// `key_live_` or `key_test_`, followed by 32 letters and digits.
    package let branchKey: String
    package let scope: Scope
    /// The hash of the side's current secret. The secret itself is shown once and not stored.
    package let secretHash: [UInt8]
    /// When the key was replaced; nil for the current key.
    package let replacedAt: Timestamp?
    /// The time from which calls with the key are refused; nil for never.
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

    /// The most former keys of a side. Links that contain them keep working, so they are kept.
    package static let mostFormer = 100

    /// Returns a new key with a new secret.
    package static func make(for scope: Scope, random: RandomSource) -> (key: AppKey, secret: String) {
        let secret = newSecret(for: scope, random: random)
        return (make(for: scope, secretHash: Secret.hash(secret), random: random), secret)
    }

    /// Returns a new key for a side that keeps its secret.
    package static func make(for scope: Scope, secretHash: [UInt8], random: RandomSource) -> AppKey {
        AppKey(branchKey: "key_\(scope.mode.name)_" + random.alphanumerics(32), scope: scope, secretHash: secretHash)
    }

    package static func newSecret(for scope: Scope, random: RandomSource) -> String {
        "secret_\(scope.mode.name)_" + random.alphanumerics(32)
    }
}

/// A replaced secret of one side of an app.
package struct FormerSecret: Sendable {
    /// The most former secrets of a side that are accepted: a wrong secret is compared with each.
    package static let mostAccepted = 10
    /// The number of former secrets of a side from which on those that have ended are deleted.
    package static let mostKept = 100

    package let scope: Scope
    package let hash: [UInt8]
    package let replacedAt: Timestamp
    /// When the secret stops being accepted beside the current one; nil if it is accepted until the operator ends it.
    package let endsAt: Timestamp?

    package init(scope: Scope, hash: [UInt8], replacedAt: Timestamp, endsAt: Timestamp?) {
        self.scope = scope
        self.hash = hash
        self.replacedAt = replacedAt
        self.endsAt = endsAt
    }

    package func hasEnded(at time: Timestamp) -> Bool { endsAt.map { $0 <= time } ?? false }
}
