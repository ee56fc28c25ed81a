import Linden
import LinkRouting

/// Linden's own rules: the decision is ``AttributionPolicy``'s, upon evidence gathered from memory as a server gathers it from its
/// tables.
struct LindenAttributor: Attributor {
    let name = "linden"

    private var table = OpenClickTable()
    /// Every click's app and link, for openings that carry its id.
    private var known: [Int: (app: Int, link: Int)] = [:]
    private var visitors: [BrowserReport: Visitor] = [:]

    mutating func click(_ click: SimulatedClick) {
        known[click.id] = (click.app, click.link)
        table.insert(click, by: visitor(click))
    }

    mutating func install(_ install: SimulatedInstall) -> Attribution? {
        guard let match = AttributionPolicy.decide(evidence(for: install)).match else { return nil }
        if let click = match.click { table.claim(click) }
        return Attribution(click: match.click.map { Int($0.rawValue) }, link: Int(match.link.rawValue), score: 1)
    }

    /// As `Reader.evidence(for:link:at:)` gathers it.
    private mutating func evidence(for install: SimulatedInstall) -> Evidence {
        switch install.opening {
        case .click(let id):
            guard let click = known[id], click.app == install.app else {
                return Evidence(linkClick: .unknown, similarClicks: table.clicks(similarTo: install))
            }
            return Evidence(linkClick: .found(click: Click.ID(rawValue: Int64(id)), link: Link.ID(rawValue: Int64(click.link))))
        case .link(let link):
            return Evidence(
                linkURL: Campaigns.app(of: link) == install.app ? .found(link: Link.ID(rawValue: Int64(link))) : .foreign)
        case .foreignURL:
            return Evidence(linkURL: .foreign)
        case .nothing:
            return Evidence(similarClicks: table.clicks(similarTo: install))
        }
    }

    private mutating func visitor(_ click: SimulatedClick) -> Visitor {
        if click.isPrefetch {
            var visitor = Visitor(userAgent: click.browser.userAgent, clientHints: click.browser.clientHints)
            visitor.robot = .prefetch
            return visitor
        }
        if let known = visitors[click.browser] { return known }
        let visitor = Visitor(userAgent: click.browser.userAgent, clientHints: click.browser.clientHints)
        visitors[click.browser] = visitor
        return visitor
    }
}

/// The open clicks of a server, in memory.
private struct OpenClickTable {
    private struct Row {
        let click: Click.ID
        let link: Link.ID
        let content: String
        let expiresAt: Timestamp
    }

    /// No link of a history has a window of its own.
    private static let window = Duration.seconds(7200)
    private static let limit = 16

    private var rows: [Fingerprint: [Row]] = [:]
    private var fingerprints: [Click.ID: Fingerprint] = [:]

    mutating func insert(_ click: SimulatedClick, by visitor: Visitor) {
        guard visitor.robot == nil, let os = visitor.os, let version = visitor.osVersion else { return }
        let fingerprint = Fingerprint(scope: scope(click.app), address: click.address.key, os: os, osVersion: version)
        let id = Click.ID(rawValue: Int64(click.id))
        fingerprints[id] = fingerprint
        rows[fingerprint, default: []].removeAll { $0.expiresAt <= click.time }
        rows[fingerprint, default: []].append(
            Row(
                click: id, link: Link.ID(rawValue: Int64(click.link)), content: click.content,
                expiresAt: click.time + Self.window))
    }

    /// Newest first.
    func clicks(similarTo install: SimulatedInstall) -> [Evidence.SimilarClick] {
        let fingerprint = Fingerprint(
            scope: scope(install.app), address: install.address.key, os: install.os.rawValue, osVersion: install.osVersion)
        return rows[fingerprint, default: []].reversed().filter { $0.expiresAt > install.time }.prefix(Self.limit)
            .map { .init(click: $0.click, link: $0.link, content: $0.content) }
    }

    mutating func claim(_ click: Click.ID) {
        guard let fingerprint = fingerprints.removeValue(forKey: click) else { return }
        rows[fingerprint]?.removeAll { $0.click == click }
    }

    private func scope(_ app: Int) -> Scope { Scope(app: App.ID(rawValue: Int64(app)), mode: .live) }
}
