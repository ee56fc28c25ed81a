import BranchWire
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@Suite struct OpenRequestTests {
    private static func start(_ fields: JSONObject, _ endpoint: OpenRequest.Endpoint = .open) async throws -> SessionStart {
        try await Installation.run { installation in
            let app = try await installation.services.directory.app(branchKey: installation.createApp().live.key.branchKey)
            return OpenRequest(RequestFields(fields), endpoint: endpoint)
                .sessionStart(app: app, address: .unknown, userAgent: "", installation.services.publicIDs)
        }
    }

    private static let deviceTokens: [(fields: JSONObject, isKnown: Bool)] = [
        (["device_fingerprint_id": "249737408155746304"], true),
        (["randomized_device_token": 249_737_408_155_746_304], true),
        (["device_fingerprint_id": "bnc_no_value"], false), (["device_fingerprint_id": ""], false),
        (["device_fingerprint_id": nil], false),
        ([:], false),
    ]

    @Test(arguments: deviceTokens)
    func aDeviceTokenIsReadUnderEitherName(fields: JSONObject, isKnown: Bool) async throws {
        let device = try await Self.start(fields).device
        #expect((device != nil) == isKnown)
    }

    private static let identityParameters: [(fields: JSONObject, parameter: String)] = [
        (["sdk": "ios0.25.9"], "$identity_id"), (["sdk": "ios1.39.4"], "$identity_id"),
        (["sdk": "ios1.40.0"], "$randomized_bundle_token"), (["sdk": "ios3.14.0"], "$randomized_bundle_token"),
        (["sdk": "android3.2.0"], "$identity_id"), (["sdk": "ios"], "$identity_id"), ([:], "$identity_id"),
        (["sdk": "android5.16.3", "branch_sdk_request_unique_id": "A-2027011508"], "$randomized_bundle_token"),
    ]

    @Test(arguments: identityParameters)
    func aPersonalLinkCarriesTheTokenUnderTheNameItsSDKKnows(fields: JSONObject, parameter: String) {
        #expect(RequestFields(fields).identityParameter == parameter)
    }

    @Test func anOpenWithoutAnyTokenIsAnInstall() async throws {
        #expect(try await Self.start([:]).caller == .newInstallation)
        #expect(try await Self.start(["identity_id": "249737408155746304"]).caller == .installation)
        #expect(try await Self.start(["identity_id": "249737408155746304"], .install).caller == .newInstallation)
    }

    private static let versions: [(fields: JSONObject, version: String)] = [
        (["os": "Android", "os_version": 34], "14"), (["os": "Android", "os_version": "34"], "14"),
        (["os": "Android", "os_version": 34, "os_version_android": "14"], "14"), (["os": "Android", "os_version": 27], "8.1"),
        (["os": "Android", "os_version": "14"], "14"), (["os": "iOS", "os_version": "17.0"], "17"),
        (["os": "iOS", "os_version": 17], "17"),
    ]

    @Test(arguments: versions)
    func anOSVersionIsSpelledAsBrowsersSpellIt(fields: JSONObject, version: String) async throws {
        #expect(try await Self.start(fields).description.osVersion == version)
    }

    private static let installTimes: [(fields: JSONObject, seconds: Int?)] = [
        (["latest_install_time": 1_800_000_000_000, "branch_sdk_request_timestamp": 1_800_000_090_000], 90),
        (["latest_install_time": "1800000000000", "branch_sdk_request_timestamp": 1_800_000_090_000], 90),
        // Google Play's, in seconds, is the beginning of the same installation.
        (
            [
                "latest_install_time": 1_800_000_000_000, "install_begin_ts": 1_799_999_970,
                "branch_sdk_request_timestamp": 1_800_000_090_000,
            ], 120
        ),
        // One of long before is of another installation, and none is 0.
        (
            [
                "latest_install_time": 1_800_000_000_000, "install_begin_ts": 1_799_000_000,
                "branch_sdk_request_timestamp": 1_800_000_090_000,
            ], 90
        ),
        (
            ["latest_install_time": 1_800_000_000_000, "install_begin_ts": 0, "branch_sdk_request_timestamp": 1_800_000_090_000], 90
        ),
        (["install_begin_ts": 1_800_000_000, "branch_sdk_request_timestamp": 1_800_000_090_000], 90),
        (["latest_install_time": 1_800_000_000_000], nil),
        (["latest_install_time": 1_800_000_000_000, "branch_sdk_request_timestamp": 1_700_000_000_000], nil),
        (["latest_install_time": -5, "branch_sdk_request_timestamp": 1_800_000_090_000], nil),
        (["latest_install_time": "1e300", "branch_sdk_request_timestamp": "nan"], nil),
        (["latest_install_time": 1, "branch_sdk_request_timestamp": 1_800_000_090_000], nil),
        ([:], nil),
    ]

    @Test(arguments: installTimes)
    func anInstallSaysHowLongAgoTheAppWasInstalled(fields: JSONObject, seconds: Int?) async throws {
        #expect(try await Self.start(fields, .install).installedAgo == seconds.map { .seconds($0) })
        #expect(try await Self.start(fields.merging(["identity_id": "249737408155746304"])).installedAgo == nil)
        #expect(try await Self.start(fields.merging(["tracking_disabled": true]), .install).installedAgo == nil)
    }

    private static let sdks: [(fields: JSONObject, stored: String?)] = [
        (["sdk": "ios3.14.0"], "ios3.14.0"), (["sdk": "mac1.5.0"], "mac1.5.0"),
        (["sdk": "native", "sdk_version": "1.2.0"], "native1.2.0"),
        (["sdk": "roku", "sdk_version": "1.0.0"], "roku1.0.0"),
        (["sdk": "android5.16.3", "sdk_version": "5.16.3"], "android5.16.3"),
        (["sdk": "roku"], "roku"), (["sdk_version": "1.0.0"], nil), ([:], nil),
    ]

    @Test(arguments: sdks)
    func anSDKIsStoredWithItsVersion(fields: JSONObject, stored: String?) async throws {
        #expect(try await Self.start(fields).description.sdk == stored)
    }

    private static let hardwareIDs: [(fields: JSONObject, id: String?)] = [
        (["hardware_id": "H", "is_hardware_id_real": true], "H"),
        (["hardware_id": "H", "is_hardware_id_real": 1], "H"),
        (["hardware_id": "H", "is_hardware_id_real": false], nil), (["hardware_id": "H"], nil),
        (["hardware_id": "idfa", "is_hardware_id_real": true, "ios_vendor_id": "V"], "V"),
        (["hardware_id": "idfa", "is_hardware_id_real": true, "hardware_id_type": "idfa"], nil),
        // Every advertiser knows the advertising id, so it identifies no returning user.
        (["hardware_id": "random", "is_hardware_id_real": false, "advertising_ids": ["aaid": "A"]], nil),
    ]

    @Test(arguments: hardwareIDs)
    func onlyAnIdThatSurvivesAReinstallIsAHardwareId(fields: JSONObject, id: String?) async throws {
        #expect(try await Self.start(fields).description.hardwareID == id)
    }

    private static let clickIDs: [(fields: JSONObject, hasClick: Bool, isUnknown: Bool)] = [
        (["link_identifier": "249737408155746304"], true, false),
        (["link_identifier": 249_737_408_155_746_304], true, false),
        // What an old Android SDK keeps of an earlier opening.
        (["link_click_id": "249737408155746304"], false, false), (["link_identifier": "abc"], false, true),
        (["external_intent_uri": "orchard://x?link_click_id=249737408155746304"], true, false), ([:], false, false),
    ]

    @Test(arguments: clickIDs)
    func aClickIdIsReadFromWhereverAnSDKPutsIt(fields: JSONObject, hasClick: Bool, isUnknown: Bool) async throws {
        let opening = try await Self.start(fields).opening
        #expect((opening.click != nil) == hasClick)
        #expect(opening.hasUnknownClick == isUnknown)
    }

    /// {"Version3.1":{"iad-attribution":"true","iad-campaign-id":"15292426"}}
    private static let searchAd: JSON =
        "eyJWZXJzaW9uMy4xIjp7ImlhZC1hdHRyaWJ1dGlvbiI6InRydWUiLCJpYWQtY2FtcGFpZ24taWQiOiIxNTI5MjQyNiJ9fQ=="

    private static let searchAds: [(fields: JSONObject, campaign: JSON?, isSample: Bool?)] = [
        (["search_ad_encoded": searchAd], "15292426", false),
        (["search_ad_encoded": searchAd, "debug": true], "15292426", true),
        (["search_ad_encoded": searchAd, "debug": false], "15292426", false),
        (["search_ad_encoded": searchAd, "tracking_disabled": true], nil, nil), (["search_ad_encoded": "pears"], nil, nil),
        (["search_ad_encoded": ["a": 1]], nil, nil), ([:], nil, nil),
    ]

    @Test(arguments: searchAds)
    func theAdThatAppleReportedIsRead(fields: JSONObject, campaign: JSON?, isSample: Bool?) async throws {
        for endpoint in [OpenRequest.Endpoint.install, .open] {
            let ad = try await Self.start(fields, endpoint).searchAd
            #expect(ad?.labels["~campaign_id"] == campaign)
            #expect(ad?.isSample == isSample)
        }
    }

    @Test func aURLThatIsLongerThanAnyLinkCountsAsMissing() async throws {
        let long = "https://go.example.com/a/K?" + String(repeating: "?", count: 8192)
        for name in [
            "universal_link_url", "android_app_link_url", "push_identifier", "app_link_url", "local_url", "external_intent_uri",
        ] {
            #expect(try await Self.start([name: .string(long)]).opening.url == nil, "\(name)")
            #expect(try await Self.start([name: "https://go.example.com/x"]).opening.url == "https://go.example.com/x", "\(name)")
        }
        let both = try await Self.start(["universal_link_url": .string(long), "app_link_url": "https://go.example.com/x"])
        #expect(both.opening.url == "https://go.example.com/x")
        #expect(try await Self.start(["link_identifier": .string(long)]).opening.hasUnknownClick == false)
    }

    @Test func aDeviceIsDescribedInAFewPrintableCharacters() async throws {
        let names = ["model", "brand", "language", "os", "os_version", "app_version", "country"]
        func described(_ text: String) async throws -> [String?] {
            let fields = JSONObject(names.map { ($0, JSON.string(text)) })
            let device = try await Self.start(fields).description
            return [device.model, device.brand, device.language, device.os, device.osVersion, device.appVersion, device.country]
        }
        #expect(try await described(String(repeating: "\u{1}", count: 255)) == Array(repeating: nil, count: names.count))
        for text in ["e" + String(repeating: "\u{301}", count: 250_000), String(repeating: "x", count: 255)] {
            #expect(try await described(text).allSatisfy { ($0?.unicodeScalars.count ?? 0) <= 64 })
        }
        #expect(try await Self.start(["model": "Pixel\u{7} 8\u{202E}"]).description.model == "Pixel 8")
        #expect(try await Self.start(["user_agent": .string(String(repeating: "x", count: 5000))]).userAgent.utf8.count == 512)
    }

    private static let attributionTokens: [(fields: JSONObject, token: String?)] = [
        (["apple_attribution_token": "dG9rZW4="], "dG9rZW4="), (["apple_attribution_token": "bnc_no_value"], nil),
        (["apple_attribution_token": .string(String(repeating: "x", count: 1025))], nil),
        (["apple_attribution_token": .string(String(repeating: "x", count: 1024))], String(repeating: "x", count: 1024)),
        (["apple_attribution_token": "dG9r ZW4="], nil), (["apple_attribution_token": "dG9r\u{0}ZW4="], nil),
        (["apple_attribution_token": "dG9rZW4=", "tracking_disabled": 1], nil), ([:], nil),
    ]

    @Test(arguments: attributionTokens)
    func aTokenForAppleIsReadUnlessTrackingIsDisabled(fields: JSONObject, token: String?) async throws {
        #expect(try await Self.start(fields, .install).appleAttributionToken == token)
    }

    @Test(arguments: [true, 1, "true", "1"] as [JSON])
    func trackingIsDisabledInEverySpelling(value: JSON) async throws {
        #expect(try await Self.start(["tracking_disabled": value]).isTrackingDisabled)
    }
}
