import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import SQLiteStorage
import Testing

@Suite struct AddressPrivacyTests {
    private static let home = "203.0.113.77"
    private static let household = "2001:db8:aa:bb::5"
    private static let untilMidnight: Duration = .seconds(16 * 3600)

    /// Raw addresses are found, which verifies that the search works.
    @Test(.enabled(if: Engine.isSQLite), arguments: AddressPrivacy.Form.allCases)
    func noFileOfTheDatabaseHoldsAnAddressButWhereItIsKeptAsItIs(form: AddressPrivacy.Form) async throws {
        try await Installation.withFolder { folder in
            try await Exchange.run(path: folder + "/linden.db", privacy: AddressPrivacy(form)) { exchange in
                try await Self.story(exchange)
                let found = try Self.texts(
                    in: folder, of: ["203.0.113.77", "2001:db8:aa:bb", "192.0.2.50", "198.51.100.44", "10.0.0.9"])
                #expect(found.count == (form == .raw ? 5 : 0), "\(found)")
                // Nor does a file after the write-ahead log was moved into the database.
                let isEmpty = try await exchange.installation.storage.purgeWriteAheadLog()
                #expect(isEmpty)
                #expect(try Self.texts(in: folder, of: [Self.home]).count == (form == .raw ? 1 : 0))
            }
            #expect(try Self.texts(in: folder, of: [Self.home]).count == (form == .raw ? 1 : 0))
        }
    }

    /// Clicks of people and robots, installs matched by fingerprint, by link and by browser, a server's open, events.
    private static func story(_ exchange: Exchange) async throws {
        let app = try await exchange.installation.createApp()
        let key = app.live.key.branchKey
        let path = try await exchange.createLink(key, ["data": ["variety": "Cox"]])
        for address in [home, household] {
            let click = try await exchange.get(path, from: address)
            _ = try await exchange.get(path, userAgent: "Googlebot/2.1", from: address)
            let cookies = click.headers[values: .setCookie].map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")
            _ = try await exchange.get(
                "/_strong_match?os=iOS&hardware_id=H-1&branch_key=\(key)&sdk=ios0.25.9", from: "192.0.2.50",
                headers: [.cookie: cookies])
            _ = try await exchange.install(key, from: address)
            _ = try await exchange.install(key, ["universal_link_url": .string("https://go.example.com" + path)], from: address)
        }
        _ = try await exchange.post(
            "/v1/open",
            [
                "branch_key": .string(key), "branch_secret": .string(app.live.secret), "server_to_server": true, "os": "iOS",
                "os_version": "17.5.1", "app_version": "3.0", "model": "iPhone14,5", "ad_tracking_enabled": true,
                "is_hardware_id_real": true, "hardware_id": "H-2", "ip": "198.51.100.44",
                "universal_link_url": .string("https://go.example.com" + path),
            ])
        let event = try await exchange.post(
            "/v2/event/standard",
            [
                "name": "PURCHASE", "branch_key": .string(key),
                "user_data": ["os": "iOS", "idfv": "H-2", "ip": .string(home), "local_ip": "10.0.0.9"],
            ], from: home)
        #expect(event.status == 200)
        try await exchange.services.maintenance.runOnce()
    }

    @Test func aClickBeforeMidnightIsMatchedAfterIt() async throws {
        try await Exchange.run { exchange in
            let clock = exchange.installation.clock
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["variety": "Cox"]])
            clock.advance(by: Self.untilMidnight - .seconds(60))
            _ = try await exchange.get(path, from: Self.home)
            clock.advance(by: .seconds(120))
            let stranger = try await exchange.install(key, from: "203.0.113.78")
            #expect(try stranger.data["+clicked_branch_link"] == false)
            try await exchange.services.maintenance.runOnce()
            let install = try await exchange.install(key, from: Self.home)
            #expect(try install.data["variety"] == "Cox")
            // The click is claimed under the previous day's hash.
            let second = try await exchange.install(key, from: Self.home)
            #expect(try second.data["+clicked_branch_link"] == false)
        }
    }

    @Test func whatABrowserReportedBeforeMidnightIsReadAfterIt() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["variety": "Cox"]])
            exchange.installation.clock.advance(by: Self.untilMidnight - .seconds(10))
            let click = try await exchange.get(path, from: Self.home)
            let cookies = click.headers[values: .setCookie].map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")
            _ = try await exchange.get(
                "/_strong_match?os=iOS&hardware_id=H-1&branch_key=\(key)&sdk=ios0.25.9", from: "192.0.2.50",
                headers: [.cookie: cookies])
            exchange.installation.clock.advance(by: .seconds(20))
            let install = try await exchange.install(key, ["hardware_id": "H-1", "is_hardware_id_real": true], from: "192.0.2.50")
            #expect(try install.data["variety"] == "Cox")
            #expect(try install.data["+match_guaranteed"] == true)
        }
    }

    @Test func aLongWindowKeepsItsKeyAndIsOverWithTheLongestThatIsAllowed() async throws {
        for (days, isMatched) in [(6, true), (8, false)] {
            try await Exchange.run { exchange in
                let settings = Installation.settings.merging(["links.max_match_duration": .integer(90 * 86400)])
                let key = try await exchange.installation.createApp(settings: settings).live.key.branchKey
                let path = try await exchange.createLink(key, ["duration": .integer(30 * 86400)])
                _ = try await exchange.get(path, from: Self.household)
                for _ in 0..<days {
                    exchange.installation.clock.advance(by: .seconds(86400))
                    try await exchange.services.maintenance.runOnce()
                }
                // Installed a minute after the click, and opened days later.
                let sent: Int64 = 1_800_000_000_000
                let installed = sent - Int64(days) * 86_400_000 + 60_000
                let install = try await exchange.install(
                    key, ["branch_sdk_request_timestamp": .integer(sent), "latest_install_time": .integer(installed)],
                    from: Self.household)
                #expect(try install.data["+clicked_branch_link"] == .bool(isMatched), "after \(days) days")
            }
        }
    }

    @Test func withoutAddressesNothingIsMatchedByThemAndTheExplanationSaysSo() async throws {
        try await Exchange.run(privacy: AddressPrivacy(.none)) { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key)
            let click = try #require(try await exchange.get(path, from: Self.home).linkClickID)
            let install = try await exchange.install(key, from: Self.home)
            #expect(try install.data["+clicked_branch_link"] == false)
            let session = try await exchange.services.explanations.session(try #require(install.object["session_id"]?.scalarText))
            #expect(session.explanation.reason.contains("Addresses are not stored"))
            // The stored evidence gives the same decision.
            let again = AttributionPolicy.decide(try #require(session.evidence))
            #expect(StoredDecision(again) == session.explanation)
            // A click's id needs no address.
            let known = try await exchange.install(key, ["link_identifier": .string(click)], from: Self.home)
            #expect(try known.data["+clicked_branch_link"] == true)
        }
    }

    @Test func anotherFormOfAddressesNeitherFindsNorMistakesWhatWasKeptBefore() async throws {
        let forms = AddressPrivacy.Form.allCases
        for (earlier, later) in forms.flatMap({ one in forms.map { (one, $0) } }) {
            try await Installation.withFolder { folder in
                let (path, clock) = (folder + "/linden.db", TestClock())
                let key = try await Installation.run(path: path, clock: clock, privacy: AddressPrivacy(earlier)) { installation in
                    let app = try await installation.createApp()
                    let context = try await installation.services.directory.app(branchKey: app.live.key.branchKey)
                    _ = try await installation.services.links.create(NewLink(alias: "pears"), for: context)
                    _ = try await installation.services.clicks.visit(
                        Visit(
                            host: "go.example.com", path: "/pears", userAgent: UserAgents.iPhone,
                            address: ClientAddress(Self.home)!))
                    return app.live.key.branchKey
                }
                try await Installation.run(path: path, clock: clock, privacy: AddressPrivacy(later)) { installation in
                    let session = try await installation.services.sessions.start(
                        SessionStart(
                            app: try await installation.services.directory.app(branchKey: key), caller: .newInstallation,
                            description: DeviceDescription(os: "iOS", osVersion: "17.5.1"), address: ClientAddress(Self.home)!))
                    #expect(session.data["+clicked_branch_link"] == .bool(earlier == later && later != .none))
                    try await installation.services.maintenance.runOnce()
                }
            }
        }
    }

    @Test func aLinksWindowIsCappedAndSaysSo() {
        let long = AppConfiguration(["links.max_match_duration": .integer(90 * 86400)])
        for (form, seconds, isCapped) in [
            (AddressPrivacy.Form.keyed, Int64(7 * 86400), true), (.raw, 30 * 86400, false), (.none, 0, true),
        ] {
            let window = FingerprintWindow(Self.link(duration: 30 * 86400), in: long, AddressPrivacy(form))
            #expect(window.seconds == seconds && window.isCapped == isCapped)
        }
        let capped = FingerprintWindow(Self.link(duration: 30 * 86400), in: long, AddressPrivacy())
        #expect(capped.warning?.contains("30 days") == true && capped.warning?.contains("7 days") == true)
        #expect(FingerprintWindow(Self.link(duration: 7 * 86400), in: long, AddressPrivacy()).warning == nil)
        let byApp = FingerprintWindow(Self.link(duration: 30 * 86400), in: AppConfiguration(), AddressPrivacy())
        #expect(byApp.seconds == 86400 && byApp.warning?.contains("links.max_match_duration") == true)
    }

    /// Any client can append a match window to a link's URL: it extends neither the match nor the lifetime of the shared address key.
    @Test(arguments: [(String?.none, Int64(86400)), ("7200", 7200), ("604800", 604800)])
    func noClickHasALongerWindowThanTheAppAllows(setting: String?, seconds: Int64) async throws {
        try await Exchange.run { exchange in
            let settings = Installation.settings.merging(setting.map { ["links.max_match_duration": .string($0)] } ?? [:])
            let key = try await exchange.installation.createApp(settings: settings).live.key.branchKey
            for (path, query) in [
                (try await exchange.createLink(key), "?%24match_duration=604800"),
                (try await exchange.createLink(key, ["duration": 604800]), ""),
                (try await exchange.createLink(key, ["data": ["$match_duration": 604800]]), ""), ("/a/\(key)", "?duration=604800"),
            ] {
                _ = try await exchange.get(path + query, from: Self.home)
            }
            let start = exchange.installation.clock.now
            let ends = try await exchange.installation.storage.read { try $0.addressKeys().map(\.expiresAt) }
            #expect(ends == [start + Self.untilMidnight + .seconds(seconds)])
            exchange.installation.clock.advance(by: .seconds(seconds + 1))
            for _ in 1...4 {
                #expect(try await exchange.install(key, from: Self.home).data["+clicked_branch_link"] == false)
            }
        }
    }

    private static func link(duration: Int64) -> Link {
        Link(
            id: Link.ID(rawValue: 2), scope: Scope(app: Identifier(rawValue: 1), mode: .live),
            address: LinkAddress(host: "", path: "p"),
            hasAlias: false, kind: .standard, duration: duration, owner: nil, labels: Labels(), data: [:], object: nil,
            source: .api, createdAt: Timestamp(milliseconds: 0))
    }

    /// Returns those of the texts that the files of a folder contain.
    static func texts(in folder: String, of texts: [String]) throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).map {
            try Data(contentsOf: URL(filePath: folder + "/" + $0))
        }
        return texts.filter { text in files.contains { $0.range(of: Data(text.utf8)) != nil } }
    }
}
