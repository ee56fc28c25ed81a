import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import Testing

/// The evidence from an install's body and from the app's other devices.
@Suite struct InstallEvidenceRoutesTests {
    private static let isMatched = "+clicked_branch_link"

    private static func times(installed ago: Int64, clockOff skew: Int64 = 0) -> JSONObject {
        let sent = 1_800_000_000_000 + skew * 1000
        return ["branch_sdk_request_timestamp": .integer(sent), "latest_install_time": .integer(sent - ago * 1000)]
    }

    /// Only the difference of the device's own two times counts, however wrong its clock is.
    @Test(arguments: [0, -86_400 * 400, 5000] as [Int64])
    func aClickAfterTheInstallationDidNotLeadToIt(skew: Int64) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.get(try await exchange.createLink(key))
            exchange.installation.clock.advance(by: .seconds(60))
            let before = try await exchange.install(key, Self.times(installed: 90, clockOff: skew))
            #expect(try before.data[Self.isMatched] == false)
            let explanation = try await exchange.explanation(of: before)
            #expect(explanation["reason"] == "It was made after the app was installed, 1 minute 30 seconds before the opening.")

            let after = try await exchange.install(key, Self.times(installed: 30, clockOff: skew))
            #expect(try after.data[Self.isMatched] == true)
        }
    }

    @Test func theTimeFromClickToInstallationCountsHoweverLateTheAppIsOpened() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.get(try await exchange.createLink(key))
            exchange.installation.clock.advance(by: .seconds(6000))
            #expect(try await exchange.install(key).data[Self.isMatched] == false)
            #expect(try await exchange.install(key, Self.times(installed: 5900)).data[Self.isMatched] == true)
        }
    }

    /// Learned once a day from the devices of the newest sessions, if there are enough of them.
    @Test func howCommonTraitsAreIsLearnedFromTheAppsDevices() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for number in 0..<120 {
                let device: JSONObject = [
                    "ios_vendor_id": .string("V-\(number)"), "model": .string(number < 12 ? "iPhone14,5" : "iPhone15,4"),
                    "language": .string(number < 6 ? "fr" : "en"),
                ]
                _ = try await exchange.install(key, device, from: "198.51.100.\(number)")
                if number == 60 { try await exchange.services.maintenance.runOnce() }
            }
            _ = try await exchange.get(try await exchange.createLink(key))
            let early = try await exchange.evidence(of: exchange.install(key, ["model": "iPhone14,5", "language": "en"]))
            #expect(early.commonness == nil && early.appLanguages.isEmpty)

            exchange.installation.clock.advance(by: .seconds(86_401))
            try await exchange.services.maintenance.runOnce()
            _ = try await exchange.get(try await exchange.createLink(key))
            let late = try await exchange.evidence(of: exchange.install(key, ["model": "IPHONE14,5", "language": "en"]))
            #expect(late.commonness == Evidence.Commonness(osVersion: 1000, model: 107))
            #expect(late.appLanguages == ["en", "fr"])
        }
    }

    @Test func aDeviceThatHadTheAppIsSaidToHaveHadIt() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let first = try await exchange.install(key)
            _ = try await exchange.get(try await exchange.createLink(key))
            exchange.installation.clock.advance(by: .seconds(300))
            let again = try await exchange.post(
                "/v1/open",
                [
                    "branch_key": .string(key), "os": "iOS", "os_version": "17.5.1",
                    "device_fingerprint_id": first.object["device_fingerprint_id"]!,
                ])
            #expect(try again.data[Self.isMatched] == false)
            #expect(try await exchange.evidence(of: again).isKnownDevice)
        }
    }
}

extension Exchange {
    fileprivate func session(of answer: Answer) async throws -> Session {
        let id = try #require(services.publicIDs.id(for: answer.object["session_id"]?.string ?? "", of: Session.self))
        return try #require(try await services.storage.read { try $0.session(id) })
    }

    fileprivate func evidence(of answer: Answer) async throws -> Evidence.FingerprintSignals {
        try #require(try await session(of: answer).evidence?.fingerprintSignals)
    }

    fileprivate func explanation(of answer: Answer) async throws -> JSONObject {
        try await services.explanations.explanation(of: session(of: answer)).view(services.publicIDs, services.baseURL)
    }
}
