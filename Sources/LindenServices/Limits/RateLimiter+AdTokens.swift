import Linden
import LindenKernel

extension RateLimiter {
    /// Returns whether the token of one more session is exchanged with Apple, and counts it: if exchanges are on, within the rates of
    /// ``LimitedCall/adToken``. A stranger can make up tokens, which wait beside those of the app's users until Apple has refused them.
    func adTokenRule(isOn: Bool) -> @Sendable (SessionStart) -> Bool {
        { [self] in
            isOn && (try? admit(.adToken, of: $0.app.scope, from: $0.address, hasSecret: $0.caller == .server)) != nil
        }
    }
}
