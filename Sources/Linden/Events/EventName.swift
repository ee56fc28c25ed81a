/// The name of an event as rules and questions compare it: a standard name is the same in any case, any other must be written as the app
/// reports it.
package struct EventName: Sendable, Hashable {
    /// A standard name is in upper case.
    package let text: String

    package init(_ text: String) {
        self.text = StandardEvent(rawValue: text.uppercased())?.rawValue ?? text
    }

    var isStandard: Bool { StandardEvent(rawValue: text) != nil }
}

package protocol EventNameReader {
    /// The names of an app's stored events, in their spellings, at most ``EventName/mostNames``.
    func eventNames(of scope: Scope) throws -> [String]
    /// Whether an event of exactly this name is stored.
    func hasEvent(named name: String, in scope: Scope) throws -> Bool
    /// Whether an event of exactly this name was ever counted, be its row removed since.
    func hasCountedEvent(named name: String, in scope: Scope) throws -> Bool
}

extension EventName {
    package static let mostNames = 10_000

    /// The stored spellings of a name out of all stored names.
    fileprivate func spellings(among names: [String]) -> [String] { names.filter { EventName($0) == self } }
}

extension EventNameReader {
    /// The names under which events of this name are stored.
    func storedNames(of name: EventName, in scope: Scope) throws -> [String] {
        name.isStandard ? [name.text] + name.spellings(among: try eventNames(of: scope)).filter { $0 != name.text } : [name.text]
    }

    /// A sentence about a name of which no event ever came; nil if one did.
    func warning(aboutEvent name: EventName, in scope: Scope) throws -> String? {
        guard try !hasEvent(named: name.text, in: scope) else { return nil }
        let names = try eventNames(of: scope)
        guard name.spellings(among: names).isEmpty, try !hasCountedEvent(named: name.text, in: scope) else { return nil }
        let others = names.filter { $0.lowercased() == name.text.lowercased() }
        return "No event named \"\(name.text)\" was ever recorded for the app."
            + (others.isEmpty
                ? ""
                : " There is \(others.map { "\"\($0)\"" }.joined(separator: ", ")): names of the app's own are case-sensitive.")
    }
}
