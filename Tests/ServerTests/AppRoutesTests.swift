import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@Suite struct AppRoutesTests {
    @Test func aConfigurationIsChangedAndReadBack() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(settings: [:])
            let target = "/v1/app/\(app.live.key.branchKey)"

            let changed = try await exchange.put(
                target,
                [
                    "branch_secret": .string(app.live.secret), "app_name": "Pears", "ios_app": 2, "ios_uri_scheme": "pears://",
                    "web_url": "https://pears.example", "always_open_app": true,
                ])
            #expect(changed.status == 200)

            let read = try await exchange.get("\(target)?branch_secret=\(app.live.secret)").object
            #expect(read["app_name"] == "Pears")
            #expect(read["ios_app"] == "2")
            #expect(read["ios_uri_scheme"] == "pears://")
            #expect(read["branch_key"] == .string(app.live.key.branchKey))
            #expect(read["short_url_domain"] == "go.example.com")
            #expect(read["branch_secret"] == nil)
            let path = try await exchange.createLink(app.live.key.branchKey)
            #expect(try await exchange.get(path).body.contains("pears://open?link_click_id="))
        }
    }

    @Test func aChangeReachesLinksThatWereClickedBefore() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let path = try await exchange.createLink(app.live.key.branchKey)
            _ = try await exchange.get(path)
            _ = try await exchange.put(
                "/v1/app/\(app.live.key.branchKey)", ["branch_secret": .string(app.live.secret), "ios_uri_scheme": "quince"])
            #expect(try await exchange.get(path).body.contains("quince://"))
        }
    }

    private static let tooManySettings: [(settings: JSONObject, rule: String)] = [
        (unknown(0...200, "a"), "at most 200 settings"),
        (unknown(0...99, .string(String(repeating: "\u{1F350}", count: 255))), "at most 65536 bytes"),
        (["redirect_allowlist": JSON((0...200).map { "a\($0).example" })], "at most 200 host names"),
        (
            ["sha256_cert_fingerprints": JSON(Array(repeating: String(repeating: "AB", count: 32), count: 201))],
            "at most 200 SHA-256"
        ),
    ]

    private static func unknown(_ numbers: ClosedRange<Int>, _ value: JSON) -> JSONObject {
        JSONObject(numbers.map { (key: "unknown_\($0)", value: value) })
    }

    @Test(arguments: tooManySettings)
    func settingsBeyondTheirLimitsAreRefusedAndChangeNothing(settings: JSONObject, rule: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            for (key, secret) in [(app.live.key, app.live.secret), (app.test.key, app.test.secret)] {
                let target = "/v1/app/\(key.branchKey)"
                let before = try await exchange.get("\(target)?branch_secret=\(secret)").object
                let answer = try await exchange.put(target, .object(settings.merging(["branch_secret": .string(secret)])))
                #expect(answer.status == 400)
                #expect(answer.errorMessage?.contains(rule) == true)
                #expect(try await exchange.get("\(target)?branch_secret=\(secret)").object == before)
            }
        }
    }

    @Test func settingsThatWereStoredInSeveralCallsCountTogether() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(settings: [:])
            func change(_ numbers: ClosedRange<Int>, _ value: JSON) async throws -> Exchange.Answer {
                let settings = Self.unknown(numbers, value).merging(["branch_secret": .string(app.test.secret)])
                return try await exchange.put("/v1/app/\(app.test.key.branchKey)", .object(settings))
            }
            #expect(try await change(0...199, "a").status == 200)
            #expect(try await change(200...200, "a").status == 400)
            #expect(try await change(0...0, .null).status == 200)
            #expect(try await change(200...200, "a").status == 200)
        }
    }

    private static let wrongSettings: [(key: String, value: JSON)] = [
        ("web_url", "javascript:alert(1)"), ("ios_url", "ftp://x"), ("ios_uri_scheme", "javascript"), ("android_uri_scheme", "1x"),
        ("og_title", ["a": 1]), ("og_title", .string(String(repeating: "x", count: 256))), ("sha256_cert_fingerprints", ["12:34"]),
        ("ios_team_id", "abc"), ("ios_team_id", "abcde12345"), ("ios_team_id", "ABCDE123456"), ("ios_bundle_id", "bad bundle"),
        ("ios_bundle_id", "com.exämple.orchard"), ("android_package_name", "not a package!"), ("android_package_name", "orchard"),
        ("android_package_name", "com.1example"), ("android_package_name", "com..example"),
        ("links.sitemap", "often"), ("links.expire_with_content", "often"), ("links.expire_with_content", 1),
        ("app_id", "12"), ("test_branch_key", "key_test_a"), ("new_branch_secret", "a"), ("Live_Secret", "a"),
    ]

    @Test(arguments: wrongSettings)
    func aWrongSettingIsRefusedAndChangesNothing(key: String, value: JSON) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let target = "/v1/app/\(app.live.key.branchKey)"
            let answer = try await exchange.put(
                target, ["branch_secret": .string(app.live.secret), "app_name": "Changed", .init(key): value])
            #expect(answer.status == 400)
            #expect(answer.errorMessage?.contains(key) == true)
            let read = try await exchange.get("\(target)?branch_secret=\(app.live.secret)").object
            #expect(read["app_name"] == "Orchard")
        }
    }

    private static let names: [(key: String, value: JSON)] = [
        ("ios_team_id", "A1B2C3D4E5"), ("ios_team_id", 1_234_567_890), ("ios_team_id", ""),
        ("ios_bundle_id", "com.example.Orchard-2"), ("ios_bundle_id", "orchard"),
        ("android_package_name", "com.example.orchard_2"), ("android_package_name", "Com.Example"),
        ("links.expire_with_content", true), ("links.expire_with_content", "false"),
    ]

    @Test(arguments: names)
    func aSettingAsItIsMeantToBeIsKept(key: String, value: JSON) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let body: JSON = ["branch_secret": .string(app.live.secret), .init(key): value]
            let answer = try await exchange.put("/v1/app/\(app.live.key.branchKey)", body)
            #expect(answer.status == 200, "\(answer.body)")
        }
    }

    @Test func theSecretIsNeeded() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            for query in ["", "?branch_secret=", "?branch_secret=secret_live_x", "?branch_secret=\(app.test.secret)"] {
                #expect(try await exchange.get("/v1/app/\(app.live.key.branchKey)\(query)").status == 400)
            }
        }
    }

    @Test func anIntegrationValidatorSeesTheAppsSchemesAndDomain() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(domain: "links.orchard.example")
            let answer = try await exchange.get("/v1/app-link-settings/\(app.live.key.branchKey)")
            #expect(
                answer.object == [
                    "ios_uri_scheme": "orchard://", "android_uri_scheme": "orchard://",
                    "android_package_name": "com.example.orchard",
                    "short_url_domain": "links.orchard.example", "default_short_url_domain": "links.orchard.example",
                ])
            #expect(try await exchange.get("/v1/app-link-settings/key_live_unknown").status == 400)
        }
    }

    @Test func theTestKeysSecretChangesNothingOfTheLiveApp() async throws {
        try await Exchange.run { exchange in
            let settings = Installation.settings.merging(["ios_team_id": "ABCDE12345", "ios_bundle_id": "com.example.orchard"])
            let app = try await exchange.installation.createApp(settings: settings, domain: "links.orchard.example")
            _ = try await exchange.services.domains.add("test.orchard.example", to: app.test.key.scope)
            func read(_ side: (key: AppKey, secret: String)) async throws -> JSONObject {
                try await exchange.get("/v1/app/\(side.key.branchKey)?branch_secret=\(side.secret)").object
            }
            func file(_ host: String) async throws -> String {
                try await exchange.get("/.well-known/apple-app-site-association", host: host).body
            }
            let (before, fileBefore) = (try await read(app.live), try await file("links.orchard.example"))

            let changed = try await exchange.put(
                "/v1/app/\(app.test.key.branchKey)",
                [
                    "branch_secret": .string(app.test.secret), "app_name": "Orchard", "web_url": "https://evil.example/",
                    "ios_bundle_id": "com.example.orchard.debug", "dev_email": "eve@example.com",
                ])
            #expect(changed.status == 200, "\(changed.body)")
            #expect(changed.object["ios_bundle_id"] == "com.example.orchard.debug")

            #expect(try await read(app.live) == before)
            #expect(try await file("links.orchard.example") == fileBefore)
            let test = try await read(app.test)
            #expect(test["web_url"] == "https://evil.example/" && test["ios_uri_scheme"] == "orchard")
            #expect(try await file("test.orchard.example").contains("ABCDE12345.com.example.orchard.debug"))
            #expect(
                try await exchange.get("/a/\(app.live.key.branchKey)", host: "links.orchard.example", userAgent: UserAgents.desktop)
                    .location?.hasPrefix("https://orchard.example.com") == true)

            // Without a value of its own, the test side uses the live side's again.
            _ = try await exchange.put(
                "/v1/app/\(app.test.key.branchKey)", ["branch_secret": .string(app.test.secret), "web_url": nil])
            #expect(try await read(app.test)["web_url"] == "https://orchard.example.com")
        }
    }

    private static let shared: [(key: String, value: JSON)] = [
        ("app_name", "Stolen"), ("credits.client_codes", "true"), ("fraud.action", "remove"), ("click_install_window_days", 1),
        ("links.max_match_duration", 604800), ("currency", "EUR"), ("credits.client_redeem", nil),
    ]

    @Test(arguments: shared)
    func whatBothSidesShareNeedsTheLiveKeysSecret(key: String, value: JSON) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["credits.client_redeem": "false"]))
            let change: JSON = [
                "branch_secret": .string(app.test.secret), "web_url": "https://test.example", .init(key): value,
            ]
            let refused = try await exchange.put("/v1/app/\(app.test.key.branchKey)", change)
            #expect(refused.status == 403)
            #expect(refused.errorMessage?.contains("\(key) is shared") == true)
            let test = try await exchange.get("/v1/app/\(app.test.key.branchKey)?branch_secret=\(app.test.secret)").object
            #expect(test["web_url"] == "https://orchard.example.com" && test["app_name"] == "Orchard")
        }
    }

    @Test func aSharedSettingThatIsSentAsItIsChangesNothing() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["click_install_window_days": 7]))
            let target = "/v1/app/\(app.test.key.branchKey)"
            let read = try await exchange.get("\(target)?branch_secret=\(app.test.secret)").object
            let body = read.merging(["branch_secret": .string(app.test.secret), "web_url": "https://test.example"])
            #expect(try await exchange.put(target, .object(body)).object["web_url"] == "https://test.example")
        }
    }
}
