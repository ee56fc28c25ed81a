import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// The attribution methods that an operator enables, and the counts of installs by method.
@Suite struct AttributionWaysTests {
    private static let isMatched = "+clicked_branch_link"

    @Test func installsAreCountedByWhatDecidedThem() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key)
            let click = try #require(try await exchange.get(path, from: "192.0.2.1").linkClickID)
            _ = try await exchange.install(key, ["link_identifier": .string(click)], from: "192.0.2.1")
            _ = try await exchange.get(path, from: "192.0.2.2")
            _ = try await exchange.install(key, from: "192.0.2.2")
            for name in ["pear", "apple"] {
                _ = try await exchange.get(
                    try await exchange.createLink(key, ["data": ["fruit": .string(name)]]), from: "192.0.2.3")
            }
            _ = try await exchange.install(key, from: "192.0.2.3")
            _ = try await exchange.get(path, from: "192.0.2.4")
            exchange.installation.clock.advance(by: .seconds(7260))
            _ = try await exchange.install(key, from: "192.0.2.4")
            _ = try await exchange.install(key, from: "192.0.2.5")

            let scope = try await exchange.services.apps.context(key).scope
            let summary = try await exchange.services.analytics.attributionSummary(of: scope, days: 30)
            #expect(summary.counts == [.linkClick: 1, .fingerprint: 1, .ambiguous: 1, .tooLate: 1, .organic: 1])
            #expect(summary.rowViews.map { $0["share"] } == Array(repeating: "20.0 %", count: 5))

            let app = try await exchange.services.apps.context(key).app
            let findings = AttributionCheck.findings(on: app, hasDomain: false, summary, days: 30, reference: key)
            #expect(
                findings.last?.detail.hasPrefix(
                    "Of 5 installs in the last 30 days, 20.0 % were attributed by an id and 20.0 % by address and device; lost were 20.0 % as "
                        + "ambiguous, 20.0 % as too late") == true, "\(findings.map(\.detail))")
            #expect(
                findings.filter { $0.status == .warning }.map(\.check) == [
                    "attribution.clipboard", "attribution.universal_links", "attribution.app_links",
                ])
        }
    }

    @Test func withoutFingerprintsNothingIsComparedOrKeptToCompare() async throws {
        try await Exchange.run { exchange in
            let settings = Installation.settings.merging(["attribution.fingerprint": "off"])
            let key = try await exchange.installation.createApp(settings: settings).live.key.branchKey
            let click = try #require(try await exchange.get(try await exchange.createLink(key)).linkClickID)
            let install = try await exchange.install(key, ["model": "iPhone15,4"])
            #expect(try install.data[Self.isMatched] == false)
            for table in ["pending_clicks", "device_addresses WHERE model IS NOT NULL"] {
                #expect(try await exchange.rows("SELECT COUNT(*) FROM \(table)") == 0, "\(table)")
            }
            let session = try #require(
                exchange.services.publicIDs.id(for: install.object["session_id"]?.string ?? "", of: Session.self))
            let explanation = try await exchange.services.storage.read { try $0.session(session)?.explanation }
            #expect(explanation?.reason.contains("attribution.fingerprint is off") == true)
            // Deterministic matches are not affected.
            let named = try await exchange.install(key, ["link_identifier": .string(click)], from: "192.0.2.9")
            #expect(try named.data[Self.isMatched] == true)
        }
    }

    @Test func aSettingPutsTheClipboardPageBeforeAllLinks() async throws {
        try await Exchange.run { exchange in
            let settings = Installation.settings.merging(["links.ios_nativelink": "true"])
            let key = try await exchange.installation.createApp(settings: settings).live.key.branchKey
            let page = try await exchange.get(try await exchange.createLink(key)).body
            #expect(page.contains(#"id="copy""#))
            let without = try await exchange.get(try await exchange.createLink(key, ["data": ["$ios_nativelink": false]])).body
            #expect(!without.contains(#"id="copy""#))
        }
    }
}
