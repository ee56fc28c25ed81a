import Linden
import LindenKernel
import LindenLedger

/// The apps and reward rules that a transaction has read. Writers take turns, so only the transaction itself can change them before it ends: the
/// calls that share it read them once.
struct KnownSettings {
    private struct EventOfScope: Hashable {
        let scope: Scope
        let event: BytewiseText
    }

    var apps: [App.ID: App] = [:]
    private var scopesWithRules: [Scope: Bool] = [:]
    private var rules: [EventOfScope: [RewardRule]] = [:]

    /// Returns the rules of an event; calls `read` for them only if the scope has any.
    mutating func rules(
        for event: String, in scope: Scope, hasAny: () throws -> Bool, read: () throws -> [RewardRule]
    ) throws -> [RewardRule] {
        let hasRules = try scopesWithRules[scope] ?? hasAny()
        scopesWithRules[scope] = hasRules
        guard hasRules else { return [] }
        let key = EventOfScope(scope: scope, event: BytewiseText(event))
        let found = try rules[key] ?? read()
        rules[key] = found
        return found
    }
}
