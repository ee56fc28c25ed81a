import LindenKernel
import LinkRouting

/// The name of an event, normalized for comparison in rules and queries. Standard names are case-insensitive; all others are
/// case-sensitive.
package struct EventName: Sendable, Hashable {
    /// The normalized name; standard names are in upper case.
    package let text: String

    package init(_ text: String) {
        let name = text.utf8.count <= StandardEvent.longestName ? text.ifASCII : nil
        let standard = name.flatMap { StandardEvent(rawValue: $0.uppercased()) }
        self.text = standard?.rawValue ?? text
    }

    package static func == (one: EventName, other: EventName) -> Bool { one.text.hasSameBytes(as: other.text) }
    package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }

    var isStandard: Bool { text.ifASCII.flatMap(StandardEvent.init(rawValue:)) != nil }
}

package protocol EventNameReader {
    /// The distinct names of a scope's stored events as they were sent, at most ``EventName/mostNames``.
    func eventNames(of scope: Scope) throws -> [String]
    /// Whether an event with exactly this name is stored.
    func hasEvent(named name: String, in scope: Scope) throws -> Bool
    /// Whether an event with exactly this name was ever aggregated, even if its row is deleted.
    func hasCountedEvent(named name: String, in scope: Scope) throws -> Bool
}

extension EventName {
    package static let mostNames = 10_000
    /// The most names that one question is warned about.
    package static let mostWarnings = 10

    /// The names that are spellings of this one.
    fileprivate func spellings(among names: [String]) -> [String] { names.filter { EventName($0) == self } }
}

extension EventNameReader {
    /// The spellings of a name under which events are stored.
    package func storedNames(of name: EventName, in scope: Scope) throws -> [String] {
        guard name.isStandard else { return [name.text] }
        return [name.text] + name.spellings(among: try eventNames(of: scope)).filter { $0 != name.text }
    }

    /// Returns warnings about names without any events, for at most ``EventName/mostWarnings`` of the names.
    package func warnings(aboutEvents names: [EventName], in scope: Scope) throws -> [String] {
        let missing = try names.prefix(EventName.mostWarnings).filter { try !hasEvent(named: $0.text, in: scope) }
        guard !missing.isEmpty else { return [] }
        let stored = try eventNames(of: scope)
        return try missing.compactMap { try warning(aboutEvent: $0, in: scope, among: stored) }
    }

    private func warning(aboutEvent name: EventName, in scope: Scope, among names: [String]) throws -> String? {
        guard name.spellings(among: names).isEmpty, try !hasCountedEvent(named: name.text, in: scope) else { return nil }
        let folded = name.text.lowercased()
        // Of a thousand at most, because anyone with the public key can make names up.
        let others = names.lazy.filter { $0.utf8.count == folded.utf8.count }.prefix(1000).filter { $0.lowercased() == folded }
            .prefix(3)
            .map { "\"\($0)\"" }
        let text = "No event named \"\(name.text)\" was ever recorded for the app."
        return others.isEmpty ? text : text + " There is \(others.joined(separator: ", ")): an app's own names are case-sensitive."
    }
}
