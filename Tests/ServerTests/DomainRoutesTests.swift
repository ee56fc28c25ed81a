import HTTPTypes
import Linden
import LindenTesting
import Testing

@Suite struct DomainRoutesTests {
    private static let fingerprint = Array(repeating: "AB", count: 32).joined(separator: ":")
    private static let settings = Installation.settings.merging([
        "ios_team_id": "ABCDE12345", "ios_bundle_id": "com.example.orchard", "sha256_cert_fingerprints": [.string(fingerprint)],
    ])

    @Test(arguments: ["/.well-known/apple-app-site-association", "/apple-app-site-association"])
    func anIPhoneLearnsWhichAppOpensTheLinksOfAHost(path: String) async throws {
        try await Exchange.run { exchange in
            _ = try await exchange.installation.createApp(settings: Self.settings, domain: "links.orchard.example")
            let answer = try await exchange.get(path, host: "links.orchard.example")
            #expect(answer.status == 200)
            #expect(answer.headers[.contentType] == "application/json")
            let details = try #require(answer.object["applinks"]?.object?["details"]?.array?.first?.object)
            #expect(details["appIDs"] == ["ABCDE12345.com.example.orchard"])
            // The first rule that fits decides, so what stays on the web comes first.
            let components = try #require(details["components"]?.array)
            #expect(components.first?.object?["/"] == "/e/*")
            #expect(components.first?.object?["exclude"] == true)
            #expect(components.last == ["/": "*"])
        }
    }

    @Test func anAndroidPhoneLearnsItToo() async throws {
        try await Exchange.run { exchange in
            _ = try await exchange.installation.createApp(settings: Self.settings, domain: "links.orchard.example")
            let answer = try await exchange.get("/.well-known/assetlinks.json", host: "links.orchard.example")
            #expect(answer.headers[.contentType] == "application/json")
            #expect(
                answer.json == [
                    [
                        "relation": ["delegate_permission/common.handle_all_urls"],
                        "target": [
                            "namespace": "android_app", "package_name": "com.example.orchard",
                            "sha256_cert_fingerprints": [.string(Self.fingerprint)],
                        ],
                    ]
                ])
        }
    }

    @Test func aHostWithAPortIsThatHostAndAnUnknownOneHasNoFile() async throws {
        try await Exchange.run { exchange in
            _ = try await exchange.installation.createApp(settings: Self.settings, domain: "links.orchard.example")
            let path = "/.well-known/apple-app-site-association"
            #expect(try await exchange.get(path, host: "links.orchard.example:8443").status == 200)
            let unknown = try await exchange.get(path, host: "elsewhere.example")
            #expect(unknown.status == 404)
            #expect(unknown.errorCode == 404)
        }
    }

    @Test func appsWithoutADomainShareTheBaseURLs() async throws {
        try await Exchange.run { exchange in
            _ = try await exchange.installation.createApp(settings: Self.settings)
            let other = Self.settings.merging(["ios_bundle_id": "com.example.bakery"])
            _ = try await exchange.installation.createApp("Bakery", settings: other)
            let answer = try await exchange.get("/.well-known/apple-app-site-association")
            let details = answer.object["applinks"]?.object?["details"]?.array?.first?.object
            #expect(details?["appIDs"] == ["ABCDE12345.com.example.orchard", "ABCDE12345.com.example.bakery"])
        }
    }

    @Test func aFurtherAppOfAHostIsInItsFilesUntilItIsTakenOut() async throws {
        try await Exchange.run { exchange in
            _ = try await exchange.installation.createApp(settings: Self.settings, domain: "links.orchard.example")
            let settings = Self.settings.merging(["android_package_name": "com.example.bakery"])
            let bakery = try await exchange.installation.createApp("Bakery", settings: settings)
            func packages() async throws -> [JSON?] {
                try await exchange.get("/.well-known/assetlinks.json", host: "links.orchard.example").json.array?
                    .map { $0.object?["target"]?.object?["package_name"] } ?? []
            }
            try await exchange.services.domains.associate(bakery.app.id, with: "links.orchard.example")
            #expect(try await packages() == ["com.example.orchard", "com.example.bakery"])
            try await exchange.services.domains.dissociate(bakery.app.id, from: "links.orchard.example")
            #expect(try await packages() == ["com.example.orchard"])
        }
    }

    @Test func whoHasTheFileIsToldThatItIsTheSame() async throws {
        try await Exchange.run { exchange in
            _ = try await exchange.installation.createApp(settings: Self.settings)
            let path = "/.well-known/assetlinks.json"
            let tag = try #require(try await exchange.get(path).headers[.eTag])
            let again = try await exchange.get(path, headers: [.ifNoneMatch: tag])
            #expect(again.status == 304)
            #expect(again.bytes.isEmpty)
        }
    }

    @Test func anAppThatIsNotSetUpForASystemIsNotInItsFile() async throws {
        try await Exchange.run { exchange in
            _ = try await exchange.installation.createApp()
            #expect(try await exchange.get("/.well-known/assetlinks.json").body == "[]")
            #expect(try await exchange.get("/apple-app-site-association").body == #"{"applinks":{"details":[]}}"#)
        }
    }
}
