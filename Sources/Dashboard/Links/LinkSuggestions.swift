import Linden
import LindenKernel
import LindenReporting
import LindenServices

/// Values of the app's latest links, which the form of a link offers, so that one campaign is spelled in one way.
struct LinkSuggestions: Sendable {
    /// The values by the name of their field, the latest first.
    private let values: [String: [String]]
    /// The different sets of labels that the links have, those of the latest first.
    private let sets: [Labels]
    /// The names of the app's own templates.
    private let named: [String]
    private static let linksRead = 100
    private static let valuesOffered = 20
    private static let setsOffered = 8

    /// No values.
    init() {
        values = [:]
        sets = []
        named = []
    }

    init(_ links: [Link], folders: [String], templates: [String] = []) {
        named = templates
        func latest(_ label: (Labels) -> String?) -> [String] {
            var found: Set<BytewiseText> = []
            let values = links.compactMap { label($0.labels) }.filter { found.insert(BytewiseText($0)).inserted }
            return Array(values.prefix(Self.valuesOffered))
        }
        values = [
            "channel": latest(\.channel), "campaign": latest(\.campaign), "feature": latest(\.feature), "stage": latest(\.stage),
            "folder": folders,
        ]
        var found: Set<GroupValues> = []
        let sets = links.map(\.labels).filter { !$0.texts.isEmpty && found.insert($0.key).inserted }
        self.sets = Array(sets.prefix(Self.setsOffered))
    }

    subscript(name: String) -> [String] { values[name] ?? [] }

    /// The templates of a new link: each leads to the form with the labels and data of one of the app's own, or with one set of labels, which
    /// become UTM parameters on web pages. None are shown as long as there are none and no link has labels.
    ///
    /// - Parameter form: the path of the form.
    func templates(_ form: String, chosen: LinkForm) -> [Block] {
        var blocks: [Block] = []
        if !named.isEmpty {
            let own = named.map { ($0, PagePath.query(form, [("template", $0)]), chosen.template?.name == $0) }
            blocks += [.paragraph("The app's templates:"), Block(tabs: Tabs("The app's templates", own))]
        }
        guard !sets.isEmpty else { return blocks }
        let own = sets.map { ($0.texts.map(\.value).joined(separator: " · "), $0.path(form), chosen.has($0)) }
        let none = ("no labels", form, chosen.has(Labels()))
        return blocks + [
            .paragraph("Labels of your latest links:"), Block(tabs: Tabs("Labels of your latest links", [none] + own)),
        ]
    }

    /// - Parameter templates: the names of the app's own templates, which only the form of a new link shows.
    static func latest(
        in scope: Scope, _ services: Services, templates: [String] = []
    ) async throws -> LinkSuggestions {
        LinkSuggestions(
            try await services.linkLists.list(of: scope, limit: linksRead).links,
            folders: try await services.linkLists.folders(of: scope, limit: valuesOffered).names,
            templates: templates)
    }
}

extension Labels {
    /// The labels but for the tags, by the names of their fields.
    fileprivate var texts: [(name: String, value: String)] {
        [("channel", channel), ("feature", feature), ("campaign", campaign), ("stage", stage)]
            .compactMap { name, value in value.map { (name, $0) } }
    }

    /// The labels and the tags, by which equal ones are found.
    fileprivate var key: GroupValues { GroupValues([channel, feature, campaign, stage].map { $0 ?? "" } + tags) }

    /// The address of the form with these labels.
    fileprivate func path(_ form: String) -> String {
        PagePath.query(form, texts + [("tags", tags.joined(separator: ", "))])
    }
}
