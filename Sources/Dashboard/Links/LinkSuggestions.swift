import Linden
import LindenReporting
import LindenServices

/// Values of the app's latest links, which the form of a link offers, so that one campaign is spelled in one way.
struct LinkSuggestions: Sendable {
    /// The values by the name of their field, the latest first.
    private let values: [String: [String]]
    private static let linksRead = 100
    private static let valuesOffered = 20

    /// No values.
    init() {
        values = [:]
    }

    init(_ links: [Link], folders: [String]) {
        func latest(_ label: (Labels) -> String?) -> [String] {
            var found: [String] = []
            for case let value? in links.map({ label($0.labels) }) where !found.contains(value) { found.append(value) }
            return Array(found.prefix(Self.valuesOffered))
        }
        values = [
            "channel": latest(\.channel), "campaign": latest(\.campaign), "feature": latest(\.feature), "stage": latest(\.stage),
            "folder": folders,
        ]
    }

    subscript(name: String) -> [String] { values[name] ?? [] }

    static func latest(in scope: Scope, _ services: Services) async throws -> LinkSuggestions {
        LinkSuggestions(
            try await services.linkLists.list(of: scope, limit: linksRead).links,
            folders: try await services.linkLists.folders(of: scope, limit: valuesOffered).names)
    }
}
