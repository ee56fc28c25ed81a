import Linden
import LinkRouting

/// Linden's own rules: the decision is ``AttributionPolicy``'s, upon evidence gathered from memory as a server gathers it from its
/// tables.
struct LindenAttributor: Attributor {
    let name = "linden"

    private let rules: AttributionRules
    private var table = OpenClickTable()
    private var crowds = CrowdTable()
    /// Every click's app and link, for openings that carry its id.
    private var known: [Int: (app: Int, link: Int)] = [:]
    private var visitors: [BrowserReport: Visitor] = [:]

    init(threshold: Double = Double(AttributionRules.standard.threshold)) {
        var rules = AttributionRules.standard
        rules.threshold = Int(threshold)
        self.rules = rules
    }

    mutating func click(_ click: SimulatedClick) {
        known[click.id] = (click.app, click.link)
        let visitor = visitor(click)
        table.insert(click, by: visitor)
        if visitor.robot == nil { crowds.note(click) }
    }

    mutating func install(_ install: SimulatedInstall) -> Attribution? {
        let decision = AttributionPolicy.decide(evidence(for: install), rules)
        crowds.note(install)
        guard let match = decision.match else { return nil }
        if let click = match.click {
            table.claim(click)
            crowds.claim(Int(click.rawValue))
        }
        let points = decision.candidates.first { $0.candidate.hasWon }?.candidate.points ?? 0
        return Attribution(
            click: match.click.map { Int($0.rawValue) }, link: Int(match.link.rawValue), score: Double(max(points, 1)))
    }

    /// As `Reader.evidence(for:link:at:)` gathers it.
    private mutating func evidence(for install: SimulatedInstall) -> Evidence {
        switch install.opening {
        case .click(let id):
            guard let click = known[id], click.app == install.app else {
                return Evidence(linkClick: .unknown, likeness: likeness(of: install))
            }
            return Evidence(
                linkClick: .found(
                    .init(click: Click.ID(rawValue: Int64(id)), link: Link.ID(rawValue: Int64(click.link)), age: 0, window: 1)))
        case .link(let link):
            return Evidence(
                linkURL: Campaigns.app(of: link) == install.app ? .found(link: Link.ID(rawValue: Int64(link))) : .foreign)
        case .foreignURL:
            return Evidence(linkURL: .foreign)
        case .nothing:
            return Evidence(likeness: likeness(of: install))
        }
    }

    private func likeness(of install: SimulatedInstall) -> Evidence.Likeness {
        let traits = Evidence.Traits(
            os: install.os.rawValue, osVersion: install.osVersion, model: install.model, screen: install.screen.points,
            language: Linden.Language.primary(install.language))
        return Evidence.Likeness(
            traits: traits, isIPv6: install.address.isIPv6, crowd: crowds.crowd(of: install),
            clicks: table.clicks(similarTo: install, traits, limit: rules.candidates))
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
        let click: SimulatedClick
        let osVersion: String?
        let model: String?
        var isClaimed = false
    }

    /// No link of a history has a window of its own.
    private static let window: Int64 = 7200

    private var rows: [Fingerprint: [Row]] = [:]
    private var fingerprints: [Click.ID: Fingerprint] = [:]

    mutating func insert(_ click: SimulatedClick, by visitor: Visitor) {
        guard visitor.robot == nil, let os = visitor.os else { return }
        let fingerprint = Fingerprint(
            scope: scope(click.app), address: click.address.key, os: os, osVersion: visitor.osVersion ?? "")
        fingerprints[Click.ID(rawValue: Int64(click.id))] = fingerprint
        rows[fingerprint, default: []].removeAll { $0.click.time + .seconds(Self.window) + OpenClick.afterlife <= click.time }
        // What the click's page told fills what the request left open.
        rows[fingerprint, default: []].append(
            Row(click: click, osVersion: visitor.osVersion ?? click.page?.osVersion, model: visitor.model ?? click.page?.model))
    }

    /// Newest first.
    func clicks(similarTo install: SimulatedInstall, _ traits: Evidence.Traits, limit: Int) -> [Evidence.SimilarClick] {
        let found = traits.comparableVersions.flatMap { version in
            rows[
                Fingerprint(scope: scope(install.app), address: install.address.key, os: traits.os, osVersion: version), default: []
            ].suffix(limit)
        }
        return found.sorted { $0.click.id > $1.click.id }.prefix(limit).map { row in
            Evidence.SimilarClick(
                click: Click.ID(rawValue: Int64(row.click.id)), link: Link.ID(rawValue: Int64(row.click.link)),
                content: row.click.content, age: (install.time.milliseconds - row.click.time.milliseconds) / 1000,
                window: Self.window,
                traits: .init(
                    os: traits.os, osVersion: row.osVersion, model: row.model, screen: row.click.page?.screen.points,
                    language: Linden.Language.primary(row.click.browser.language)),
                isClaimed: row.isClaimed)
        }
    }

    mutating func claim(_ click: Click.ID) {
        guard let fingerprint = fingerprints.removeValue(forKey: click),
            let index = rows[fingerprint]?.firstIndex(where: { Int64($0.click.id) == click.rawValue })
        else { return }
        rows[fingerprint]?[index].isClaimed = true
    }
}

/// Who is behind each address of an app, in memory.
private struct CrowdTable {
    private struct Place: Hashable {
        let app: Int
        let address: String
    }

    private static let window: Duration = .seconds(7200)

    private var devices: [Place: [Timestamp]] = [:]
    private var clicks: [Place: [(id: Int, time: Timestamp)]] = [:]
    private var claimed: Set<Int> = []

    mutating func note(_ click: SimulatedClick) {
        let place = Place(app: click.app, address: click.address.key)
        clicks[place, default: []].removeAll { $0.time + Self.window <= click.time }
        clicks[place, default: []].append((click.id, click.time))
    }

    mutating func note(_ install: SimulatedInstall) {
        let place = Place(app: install.app, address: install.address.key)
        devices[place, default: []].removeAll { $0 + Self.window <= install.time }
        devices[place, default: []].append(install.time)
    }

    mutating func claim(_ click: Int) {
        claimed.insert(click)
    }

    /// Every click is by a browser of its own here, as it is without cookies.
    func crowd(of install: SimulatedInstall) -> Evidence.Crowd {
        let place = Place(app: install.app, address: install.address.key)
        let limit = AttributionRules.standard.crowdLimit
        let devices = devices[place, default: []].count { $0 + Self.window > install.time }
        let clicks = clicks[place, default: []].count { $0.time + Self.window > install.time && !claimed.contains($0.id) }
        return Evidence.Crowd(devices: Int64(min(devices, limit)), clicks: Int64(min(max(0, clicks - 1), limit)))
    }
}

extension Screen {
    /// As a page or an SDK tells it.
    fileprivate var points: Linden.Screen? {
        Linden.Screen(width: Int(width.rounded(.up)), height: Int(height.rounded(.up)))
    }
}

private func scope(_ app: Int) -> Scope { Scope(app: App.ID(rawValue: Int64(app)), mode: .live) }
