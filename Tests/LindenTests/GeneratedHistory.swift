import Linden
import LindenKernel
import LindenServices
import LindenTesting
import LinkRouting
import SQLiteStorage

/// A generated history of clicks and opens among few addresses, OS versions and links, so that devices are often alike. Deterministic for a
/// seed.
struct GeneratedHistory {
    enum Step {
        case wait(seconds: Int)
        /// A click on one of the app's links.
        case click(link: Int, Phone, namesDevice: Bool)
        /// An open of the app, the first or a later one; carries a click's id or a link's URL if it names one. The SDK may report the time
        /// since installation.
        case open(Phone, isInstall: Bool, installedAgo: Int?, byClick: Int?, byLink: Int?)
        /// A request that must not affect attribution.
        case noise(Noise, Phone)
    }

    enum Noise: CaseIterable {
        case robot, prefetch, head, otherApp, testMode, otherAppsInstall
    }

    struct Phone {
        let os: String
        let version: String
        let address: String
        let language: String?
        /// The model that the app reports; the browser reports it on Android only.
        let model: String
        /// Also reported by a link's page.
        let screen: Screen?
        let hardwareID: String?
        /// The id by which some of its clicks name the device.
        let advertisingID: String?

        var description: DeviceDescription {
            DeviceDescription(
                hardwareID: hardwareID, advertisingID: advertisingID, os: os, osVersion: version, model: model, screen: screen,
                language: language)
        }

        var userAgent: String {
            switch os {
            case "iOS":
                "Mozilla/5.0 (iPhone; CPU iPhone OS \(version.split(separator: ".").joined(separator: "_")) like Mac OS X) "
                    + "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1"
            default:
                "Mozilla/5.0 (Linux; Android \(version); \(model)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36"
            }
        }
    }

    /// The links, some with a shorter or longer match window and one for one-time use.
    static let links: [NewLink] = [
        NewLink(alias: "pears", data: ["fruit": "pear"]), NewLink(alias: "apples", data: ["fruit": "apple"]),
        NewLink(alias: "brief", duration: 90, data: ["fruit": "cherry"]),
        NewLink(alias: "long", duration: 20_000, data: ["fruit": "quince"]),
        NewLink(alias: "once", data: ["fruit": "plum", "$one_time_use": true]),
    ]

    let steps: [Step]

    init(seed: UInt64) {
        var random = RandomSource.repeatable(seed: seed)
        var clicks = 0
        let phones = (0..<6).map { number in
            let isApple = Bool.random(using: &random)
            return Phone(
                os: isApple ? "iOS" : "Android", version: isApple ? ["17.5.1", "17.4"].randomElement(using: &random)! : "14",
                address: ["203.0.113.7", "2001:db8:8::8", "2001:db8::7"].randomElement(using: &random)!,
                language: ["de", "en", nil].randomElement(using: &random)!,
                model: isApple ? "iPhone15,2" : ["Pixel 8", "SM-S911B"].randomElement(using: &random)!,
                screen: [nil, Screen(width: 393, height: 852), Screen(width: 412, height: 915)].randomElement(using: &random)!,
                hardwareID: Int.random(in: 0..<3, using: &random) == 0 ? "hardware \(number)" : nil,
                advertisingID: Int.random(in: 0..<3, using: &random) == 0 ? "AD-\(number)" : nil)
        }
        steps = (0..<56).map { _ in
            let phone = phones.randomElement(using: &random)!
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<4:
                return .wait(seconds: [1, 5, 30, 80, 400, 3000, 15_000].randomElement(using: &random)!)
            case 4..<10:
                clicks += 1
                return .click(
                    link: Int.random(in: 0..<Self.links.count, using: &random), phone,
                    namesDevice: Int.random(in: 0..<4, using: &random) == 0)
            case 10..<17:
                let byClick = clicks > 0 && Int.random(in: 0..<6, using: &random) == 0
                let byLink = Int.random(in: 0..<12, using: &random) == 0
                return .open(
                    phone, isInstall: Int.random(in: 0..<4, using: &random) > 0,
                    installedAgo: [nil, nil, 3, 20, 600].randomElement(using: &random)!,
                    byClick: byClick ? Int.random(in: 0..<clicks, using: &random) : nil,
                    byLink: byLink ? Int.random(in: 0..<Self.links.count, using: &random) : nil)
            default: return .noise(Noise.allCases.randomElement(using: &random)!, phone)
            }
        }
    }
}

/// The results of a history.
struct LivedHistory {
    /// Nil if the link was already consumed.
    var clicks: [Click.ID?] = []
    var sessions: [Session] = []

    /// The decisions, with clicks numbered by the history instead of by generated ids.
    var decisions: [JSON] {
        let names = Dictionary(
            uniqueKeysWithValues: clicks.enumerated().compactMap { number, id in id.map { ($0, "click \(number)") } })
        return sessions.map { session in
            let decision = session.evidence.map { AttributionPolicy.decide($0) }
            return [
                "click": JSON(session.click.map { names[$0] ?? "its own" }), "fruit": session.data["fruit"] ?? .null,
                "guaranteed": session.data["+match_guaranteed"] ?? .null,
                "outcome": .string(session.explanation.outcome.rawValue),
                "reason": .string(session.explanation.reason),
                "candidates": .array(
                    (decision?.candidates ?? []).map {
                        [.string(names[$0.candidate.click] ?? "?"), .string($0.candidate.reason), JSON($0.candidate.points)]
                    }),
            ]
        }
    }
}

extension Installation {
    /// Executes a history.
    ///
    /// - Parameters:
    ///   - hasNoise: whether steps that must not affect attribution are executed, too.
    ///   - beforeOpening: called before each open.
    func live(
        _ history: GeneratedHistory, hasNoise: Bool = false, beforeOpening: (Installation) async throws -> Void = { _ in }
    ) async throws -> LivedHistory {
        var lived = LivedHistory()
        let created = try await createApp(domain: "go.orchard.example")
        let others = try await createApp("Other", domain: "go.other.example")
        let app = try await services.directory.app(branchKey: created.live.key.branchKey)
        let otherApp = try await services.directory.app(branchKey: others.live.key.branchKey)
        let testMode = try await services.directory.app(branchKey: created.test.key.branchKey)
        for link in GeneratedHistory.links {
            _ = try await services.links.create(link, for: app)
            _ = try await services.links.create(link, for: otherApp)
            _ = try await services.links.create(link, for: testMode)
        }
        func visit(_ phone: GeneratedHistory.Phone, _ path: String, host: String = "go.orchard.example") -> Visit {
            Visit(
                host: host, path: "/" + path, userAgent: phone.userAgent, address: ClientAddress(phone.address)!,
                language: phone.language)
        }
        func start(_ app: AppContext, _ phone: GeneratedHistory.Phone, _ caller: SessionStart.Caller) -> SessionStart {
            SessionStart(
                app: app, caller: caller,
                description: phone.description, address: ClientAddress(phone.address)!)
        }
        for step in history.steps {
            switch step {
            case .wait(let seconds): clock.advance(by: .seconds(seconds))
            case .click(let link, let phone, let namesDevice):
                var visit = visit(phone, GeneratedHistory.links[link].alias!)
                if namesDevice, let id = phone.advertisingID { visit.query = "$idfa=" + id }
                let text = try await services.clicks.visit(visit)?.clickID
                let id: Click.ID? = text.flatMap { $0 == "0" ? nil : services.publicIDs.id(for: $0) }
                lived.clicks.append(id)
                if let text, id != nil { try await services.clicks.record(DeviceReport(screen: phone.screen), of: text) { _ in } }
            case .open(let phone, let isInstall, let installedAgo, let byClick, let byLink):
                try await beforeOpening(self)
                var start = start(app, phone, isInstall ? .newInstallation : .installation)
                start.installedAgo = isInstall ? installedAgo.map { .seconds($0) } : nil
                start.opening.click = byClick.flatMap { lived.clicks[$0] }
                if let byLink { start.opening.url = "https://go.orchard.example/" + GeneratedHistory.links[byLink].alias! }
                let id = try await services.sessions.start(start).id
                lived.sessions.append(try await storage.read { try $0.session(id)! })
            case .noise where !hasNoise: continue
            case .noise(.robot, let phone):
                var visit = visit(phone, "pears")
                visit.userAgent = UserAgents.googlebot
                _ = try await services.clicks.visit(visit)
            case .noise(.prefetch, let phone):
                var visit = visit(phone, "apples")
                visit.isPrefetch = true
                _ = try await services.clicks.visit(visit)
            case .noise(.head, let phone):
                var visit = visit(phone, "pears")
                visit.isHead = true
                _ = try await services.clicks.visit(visit)
            case .noise(.otherApp, let phone): _ = try await services.clicks.visit(visit(phone, "apples", host: "go.other.example"))
            case .noise(.testMode, let phone): _ = try await services.clicks.visit(visit(phone, "pears", host: "go.example.com"))
            case .noise(.otherAppsInstall, let phone):
                _ = try await services.sessions.start(start(otherApp, phone, .newInstallation))
                _ = try await services.sessions.start(start(testMode, phone, .newInstallation))
            }
        }
        return lived
    }
}
