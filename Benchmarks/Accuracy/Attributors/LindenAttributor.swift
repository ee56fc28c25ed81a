import Linden
import LindenKernel
import LinkRouting

/// Linden's own rules: ``AttributionPolicy`` decides, on evidence gathered in memory as a server gathers it from its tables.
struct LindenAttributor: Attributor {
    let name: String

    private let rules: AttributionRules
    private var table = PendingClickTable()
    private var addresses = AddressTable()
    private var profiles = ProfileTable()
    /// The app and link of every click, for openings that carry its id.
    private var known: [Int: (app: Int, link: Int)] = [:]
    private var visitors: [BrowserReport: Visitor] = [:]

    init(_ rules: AttributionRules = .standard, threshold: Double? = nil) {
        var rules = rules
        name = rules.version == AttributionRules.standard.version ? "linden" : "linden \(rules.version)"
        if let threshold { rules.threshold = Int(threshold) }
        self.rules = rules
    }

    mutating func click(_ click: SimulatedClick) {
        known[click.id] = (click.app, click.link)
        let visitor = visitor(click)
        table.insert(click, by: visitor)
        if visitor.robot == nil { addresses.note(click) }
    }

    mutating func opening(_ opening: SimulatedInstall) -> Attribution? { install(opening) }

    mutating func install(_ install: SimulatedInstall) -> Attribution? {
        let decision = AttributionPolicy.decide(evidence(for: install), rules)
        addresses.note(install)
        profiles.note(install)
        guard let match = decision.match else { return nil }
        if let click = match.click {
            table.claim(click)
            addresses.claim(Int(click.rawValue))
        }
        let points = decision.candidates.first { $0.candidate.hasWon }?.candidate.points ?? 0
        return Attribution(
            click: match.click.map { Int($0.rawValue) }, link: Int(match.link.rawValue), score: Double(max(points, 1)))
    }

    /// Gathers evidence as `Reader.evidence(for:link:at:)` does.
    private mutating func evidence(for install: SimulatedInstall) -> Evidence {
        switch install.opening {
        case .click(let id):
            guard let click = known[id], click.app == install.app else {
                return Evidence(linkClick: .unknown, fingerprintSignals: fingerprintSignals(of: install))
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
            return Evidence(fingerprintSignals: fingerprintSignals(of: install))
        }
    }

    private func fingerprintSignals(of install: SimulatedInstall) -> Evidence.FingerprintSignals {
        let traits = install.traits
        let clicks = table.clicks(similarTo: install, traits, limit: rules.candidates)
        var density = addresses.density(of: install)
        guard rules.version > AttributionRules.version5.version else {
            return Evidence.FingerprintSignals(
                traits: traits, isIPv6: install.address.isIPv6, density: density, clicks: clicks, ruleVersion: rules.version)
        }
        density.alike = addresses.devices(like: traits, besides: install) + table.others(like: traits, install)
        let (commonness, languages) = profiles.commonness(of: traits, app: install.app)
        return Evidence.FingerprintSignals(
            traits: traits, isIPv6: install.address.isIPv6, density: density, clicks: clicks,
            installedAgo: (install.begunAgo ?? install.installedAgo)?.components.seconds, isKnownDevice: install.isKnown,
            commonness: commonness, appLanguages: languages)
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

extension SimulatedInstall {
    var traits: Evidence.Traits {
        Evidence.Traits(
            os: os.rawValue, osVersion: osVersion, model: model, screen: screen.points,
            language: LindenKernel.Language.primary(language))
    }
}

extension Screen {
    /// The screen's size in whole points, as a page or an SDK reports it.
    var points: LindenKernel.Screen? {
        LindenKernel.Screen(width: Int(width.rounded(.up)), height: Int(height.rounded(.up)))
    }
}
