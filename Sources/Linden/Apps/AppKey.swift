/// A branch key: public, in every shipped app. It says which side of which app a call belongs to.
package struct AppKey: Sendable {
    /// `key_live_` or `key_test_` and 32 letters and digits.
    package let branchKey: String
    package let scope: Scope
    /// The hash of the secret, which is shown once and not kept.
    package let secretHash: [UInt8]

    package init(branchKey: String, scope: Scope, secretHash: [UInt8]) {
        self.branchKey = branchKey
        self.scope = scope
        self.secretHash = secretHash
    }

    /// A new key and the secret that goes with it.
    package static func make(for scope: Scope, random: RandomSource) -> (key: AppKey, secret: String) {
        let secret = "secret_\(scope.mode.name)_" + random.alphanumerics(32)
        let key = AppKey(
            branchKey: "key_\(scope.mode.name)_" + random.alphanumerics(32),
            scope: scope,
            secretHash: Secret.hash(secret)
        )
        return (key, secret)
    }
}
