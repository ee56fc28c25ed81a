import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// The doctor's checks of a host that need no server.
@Suite struct DomainChecksTests {
    private static let apple: JSON = [
        "applinks": ["details": [["appIDs": ["ABCDE12345.com.example.orchard"], "components": [["/": "*"]]]]]
    ]

    @Test func applesCacheHoldsTheFileOrAnEarlierOneOrNone() async throws {
        try await withFiles { files in
            func finding(_ json: JSON, status: Int = 200, reason: String? = nil) -> Finding {
                AppleCacheCheck.finding(cached: file(json, status: status), reason: reason, files: files)
            }
            #expect(finding(files.apple(.modern)).status == .ok)
            #expect(finding(files.apple(.legacy)).status == .ok)
            #expect(finding(Self.apple).status == .warning)
            let missing = finding(nil, status: 404, reason: "SWCERR00301 Timeout")
            #expect(missing.status == .error)
            #expect(missing.detail.contains("SWCERR00301 Timeout"))
        }
    }

    @Test func aNameMustLeadToAnAddressThatOthersReach() {
        func status(_ addresses: [String], privateAddresses: [String] = []) -> Finding.Status {
            ResolutionCheck.finding(host: "go.example.com", addresses: addresses, privateAddresses: privateAddresses).status
        }
        #expect(status(["192.0.2.1"]) == .ok)
        #expect(status(["192.0.2.1", "10.0.0.1"], privateAddresses: ["10.0.0.1"]) == .warning)
        #expect(status(["10.0.0.1"], privateAddresses: ["10.0.0.1"]) == .error)
        #expect(status([]) == .error)
    }

    private static let settingsCases: [(settings: JSONObject, findings: [String: Finding.Status])] = [
        ([:], ["settings.apps": .warning]),
        (["ios_team_id": "", "android_package_name": ""], ["settings.apps": .warning]),
        (["ios_uri_scheme": "orchard"], ["settings.ios": .error, "settings.android": .ok]),
        (
            ["ios_team_id": "ABCDE12345", "ios_bundle_id": "com.example.orchard"],
            ["settings.ios": .ok, "settings.android": .ok]
        ),
        (["ios_team_id": "abc", "ios_bundle_id": "com.example.orchard"], ["settings.ios": .error, "settings.android": .ok]),
        (["ios_team_id": "ABCDE12345", "ios_bundle_id": "bad bundle"], ["settings.ios": .error, "settings.android": .ok]),
        (
            ["android_package_name": "orchard", "sha256_cert_fingerprints": [.string(fingerprint)]],
            ["settings.ios": .ok, "settings.android": .error]
        ),
    ]

    @Test(arguments: settingsCases)
    func anAppThatPhonesCannotOpenIsReported(settings: JSONObject, findings: [String: Finding.Status]) {
        let app = App(
            id: Identifier(rawValue: 7), name: "Orchard", configuration: AppConfiguration(settings),
            createdAt: Timestamp(milliseconds: 0))
        let found = AppSettingsCheck.findings(on: app)
        #expect(Dictionary(uniqueKeysWithValues: found.map { ($0.check, $0.status) }) == findings)
        #expect(found.allSatisfy { $0.app == app.id })
    }

    @Test func withoutAppsNoRulesAreChecked() async throws {
        try await withFiles { files in
            let findings = files.findings(on: file(["applinks": ["details": []]]), for: .apple)
            #expect(findings.first { $0.check == "apple.apps" }?.status == .error)
            #expect(!findings.contains { $0.check == "apple.web_only" })
        }
    }

    private static let app = #""ABCDE12345.com.example.orchard""#
    private static let webOnly = #"{"/":"/e/*","exclude":true}"#

    /// Each format that Apple has documented, with exclusions before or after the rules they restrict.
    private static let shapes: [(applinks: String, status: Finding.Status)] = [
        (#"{"apps":[],"details":[{"appID":\#(app),"paths":["NOT /e/*","*"]}]}"#, .ok),
        (#"{"apps":[],"details":[{"appID":\#(app),"paths":["*","NOT /e/*"]}]}"#, .error),
        (#"{"apps":[],"details":{\#(app):{"paths":["NOT /e/*","*"]}}}"#, .ok),
        (#"{"details":[{"appIDs":[\#(app)],"components":[\#(webOnly),{"/":"*"}]}]}"#, .ok),
        (#"{"details":[{"appIDs":[\#(app)],"components":[{"/":"*"},\#(webOnly)]}]}"#, .error),
        (#"{"details":[{"appIDs":[\#(app)],"components":[\#(webOnly)]}]}"#, .error),
        (#"{"details":[{"appIDs":[\#(app)],"paths":["*"],"components":[\#(webOnly),{"/":"*"}]}]}"#, .ok),
        (
            #"{"defaults":{"caseSensitive":false},"details":[{"appIDs":[\#(app)],"#
                + #""components":[{"/":"/E/*","exclude":true},{"/":"*"}]}]}"#, .ok
        ),
        (
            #"{"substitutionVariables":{"x":["e","f"]},"details":[{"appIDs":[\#(app)],"#
                + #""components":[{"/":"/$(x)/*","exclude":true},{"/":"*"}]}]}"#, .ok
        ),
    ]

    @Test(arguments: shapes)
    func linksForTheWebAloneMustBeExcludedFirst(applinks: String, status: Finding.Status) async throws {
        try await withFiles { files in
            let findings = files.findings(on: file(try JSON.parse(#"{"applinks":\#(applinks)}"#)), for: .apple)
            #expect(findings.first { $0.check == "apple.json" }?.status == .ok)
            #expect(findings.first { $0.check == "apple.apps" }?.status == .ok)
            #expect(findings.first { $0.check == "apple.web_only" }?.status == status)
        }
    }

    @Test func aStatementOfOthersOrForSomethingElseDoesNotName() async throws {
        let target: JSON = [
            "namespace": "android_app", "package_name": "com.example.orchard",
            "sha256_cert_fingerprints": [.string(Self.fingerprint)],
        ]
        let statements: [(JSON, Finding.Status)] = [
            (["relation": ["delegate_permission/common.handle_all_urls"], "target": target], .ok),
            (["relation": ["delegate_permission/common.get_login_creds"], "target": target], .error),
            (["include": "https://example.com/.well-known/assetlinks.json"], .error),
        ]
        try await withFiles { files in
            for (statement, status) in statements {
                let findings = files.findings(on: file([statement]), for: .android)
                #expect(findings.first { $0.check == "android.apps" }?.status == status)
            }
        }
    }

    private static let fingerprint = Array(repeating: "AB", count: 32).joined(separator: ":")

    private func file(_ json: JSON, status: Int = 200) -> HostedFile {
        HostedFile(url: "https://go.orchard.example/file", status: status, contentType: "application/json", bytes: json.bytes)
    }

    private func withFiles(_ test: @Sendable (AssociationFiles) throws -> Void) async throws {
        try await Installation.run { installation in
            let settings: JSONObject = [
                "ios_team_id": "ABCDE12345", "ios_bundle_id": "com.example.orchard", "android_package_name": "com.example.orchard",
                "sha256_cert_fingerprints": [.string(Self.fingerprint)],
            ]
            _ = try await installation.createApp(settings: settings, domain: "go.orchard.example")
            try test(try #require(try await installation.services.domains.associationFiles(of: "go.orchard.example")))
        }
    }
}
