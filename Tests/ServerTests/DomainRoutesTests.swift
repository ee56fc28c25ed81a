import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@Suite struct DomainRoutesTests {
    private static let fingerprint = Array(repeating: "AB", count: 32).joined(separator: ":")
    static let settings = Installation.settings.merging([
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
            // The first matching rule decides, so exclusions come first.
            let excluded = ["/e/*", "/dashboard/*", "/api/*"].map { path -> JSON in ["/": .string(path), "exclude": true] }
            #expect(details["components"] == .array(excluded + [["/": "*"]]))
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
            let details = answer.object["applinks"]?.object?["details"]?.array ?? []
            // Separate entries, so that an error in one does not invalidate the others.
            #expect(
                details.map { $0.object?["appIDs"] }
                    == [["ABCDE12345.com.example.orchard"], ["ABCDE12345.com.example.bakery"]])
        }
    }

    @Test func anAppLeavesTheSharedFileOnceItsLiveLinksHaveADomain() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.installation.createApp(settings: Self.settings)
            _ = try await exchange.createBakery()
            #expect(try await exchange.packages() == ["com.example.orchard", "com.example.bakery"])
            _ = try await exchange.services.domains.add("test.orchard.example", to: orchard.test.key.scope)
            #expect(try await exchange.packages() == ["com.example.orchard", "com.example.bakery"])
            _ = try await exchange.services.domains.add("go.orchard.example", to: orchard.live.key.scope)
            #expect(try await exchange.packages() == ["com.example.bakery"])
        }
    }

    @Test func anAppWhoseDomainIsTheBaseURLsHostLeavesTheOthersTheirLinks() async throws {
        try await Exchange.run { exchange in
            let bakery = try await exchange.createBakery()
            let key = bakery.live.key.branchKey
            let path = try await exchange.createLink(
                key, ["alias": "bread", "data": ["$desktop_url": "https://bakery.example.com/"]])
            let orchard = try await exchange.installation.createApp(settings: Self.settings, domain: "go.example.com")
            #expect(try await exchange.packages() == ["com.example.orchard", "com.example.bakery"])
            #expect(
                try await exchange.get("/a/\(key)?%24desktop_url=https%3A%2F%2Fbakery.example.com", userAgent: UserAgents.desktop)
                    .status == 302)
            #expect(
                try await exchange.get(path, userAgent: UserAgents.desktop).headers[.location]?.hasPrefix(
                    "https://bakery.example.com/") == true)
            // Links of both apps have the same URLs, so neither may shadow the other.
            let body: JSON = ["branch_key": .string(orchard.live.key.branchKey), "alias": "bread"]
            #expect(try await exchange.post("/v1/url", body).status == 409)
            let domain = Domain(host: "go.example.com", scope: orchard.live.key.scope)
            #expect(try await exchange.services.domains.otherApps(on: domain).map(\.name) == ["Bakery"])
        }
    }

    @Test func whatADomainsAppWasLentIsNotTheNextOnes() async throws {
        try await Exchange.run { exchange in
            let host = "links.orchard.example"
            let orchard = try await exchange.installation.createApp(settings: Self.settings, domain: host)
            let bakery = try await exchange.createBakery()
            _ = try await exchange.createLink(orchard.live.key.branchKey, ["alias": "pears"])
            try await exchange.services.domains.associate(bakery.app.id, with: host)
            try await exchange.services.domains.remove(host, from: orchard.live.key.scope, mayShareHost: true)
            let meadow = try await exchange.installation.createApp(
                "Meadow", settings: Self.settings.merging(["android_package_name": "com.example.meadow"]), domain: host)
            #expect(try await exchange.packages(host) == ["com.example.meadow"])
            #expect(try await exchange.get("/pears", host: host).status == 404)
            // Once the first app has the host again, its link works again.
            try await exchange.services.domains.remove(host, from: meadow.live.key.scope, mayShareHost: true)
            _ = try await exchange.services.domains.add(host, to: orchard.live.key.scope)
            #expect(try await exchange.get("/pears", host: host).status == 200)
        }
    }

    @Test func aDeletedAppReleasesItsHostsAndItsLinksAreNotServed() async throws {
        try await Exchange.run { exchange in
            let host = "links.orchard.example"
            let orchard = try await exchange.installation.createApp(settings: Self.settings, domain: host)
            let bakery = try await exchange.createBakery()
            _ = try await exchange.createLink(orchard.live.key.branchKey, ["alias": "pears"])
            try await exchange.services.domains.associate(bakery.app.id, with: host)
            try await exchange.services.domains.associate(orchard.app.id, with: "go.example.com")
            #expect(try await exchange.packages() == ["com.example.bakery", "com.example.orchard"])
            #expect(try await exchange.get("/.well-known/assetlinks.json", host: host).status == 200)
            try await exchange.services.apps.delete(orchard.app.id)
            #expect(try await exchange.get("/.well-known/assetlinks.json", host: host).status == 404)
            #expect(try await exchange.packages() == ["com.example.bakery"])
            let files = try await exchange.services.domains.associationFiles(of: host)
            #expect(HostCheck.finding(host: host, files: files, baseURL: exchange.services.baseURL).status == .error)
            #expect(try await exchange.services.domains.list(limit: 9).domains.isEmpty)

            let meadow = try await exchange.installation.createApp(
                "Meadow", settings: Self.settings.merging(["android_package_name": "com.example.meadow"]), domain: host)
            #expect(try await exchange.packages(host) == ["com.example.meadow"])
            #expect(try await exchange.get("/pears", host: host).status == 404)
            let body: JSON = ["branch_key": .string(meadow.live.key.branchKey), "alias": "pears"]
            #expect(try await exchange.post("/v1/url", body).status == 409)
        }
    }

    @Test func aDomainIsNotGivenToAnAppThatIsGone() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.installation.createApp()
            try await exchange.services.apps.delete(orchard.app.id)
            let failure = await #expect(throws: Failure.self) {
                _ = try await exchange.services.domains.add("links.orchard.example", to: orchard.live.key.scope)
            }
            #expect(failure?.code == .notFound)
        }
    }

    @Test func theOwnerOfADomainIsNoFurtherAppOfIt() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(domain: "links.orchard.example")
            let failure = await #expect(throws: Failure.self) {
                try await exchange.services.domains.associate(app.app.id, with: "links.orchard.example")
            }
            #expect(failure?.code == .conflict)
        }
    }

    @Test func changedSettingsAreInTheFileAtOnce() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.installation.createApp(settings: Self.settings)
            #expect(try await exchange.packages() == ["com.example.orchard"])
            let settings: JSONObject = ["android_package_name": "com.example.pear"]
            _ = try await exchange.services.apps.update(orchard.live.key.scope, settings: settings)
            #expect(try await exchange.packages() == ["com.example.pear"])
        }
    }

    @Test func storedNamesThatCannotBeOnesAreInNoFile() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.installation.createApp(settings: Self.settings)
            for wrong: JSONObject in [
                ["ios_team_id": "abc", "android_package_name": "not a package!"], ["ios_bundle_id": "bad bundle"],
            ] {
                let values = Self.settings.merging(wrong)
                let app = App(
                    id: orchard.app.id, name: "Orchard", configuration: AppConfiguration(values),
                    createdAt: orchard.app.createdAt)
                try await exchange.services.storage.write { try $0.update(app, at: $0.now) }
                let files = try await exchange.services.domains.associationFiles(of: "go.example.com")
                #expect(files?.apple(.modern) == ["applinks": ["details": []]])
                if wrong["android_package_name"] != nil { #expect(files?.android == []) }
            }
        }
    }

    @Test func aFurtherAppOfAHostIsInItsFilesUntilItIsTakenOut() async throws {
        try await Exchange.run { exchange in
            _ = try await exchange.installation.createApp(settings: Self.settings, domain: "links.orchard.example")
            let bakery = try await exchange.createBakery()
            #expect(try await exchange.packages("links.orchard.example") == ["com.example.orchard"])
            try await exchange.services.domains.associate(bakery.app.id, with: "links.orchard.example")
            #expect(try await exchange.packages("links.orchard.example") == ["com.example.orchard", "com.example.bakery"])
            try await exchange.services.domains.dissociate(bakery.app.id, from: "links.orchard.example")
            #expect(try await exchange.packages("links.orchard.example") == ["com.example.orchard"])
        }
    }

    @Test func aClientThatHasTheFileGetsNotModified() async throws {
        try await Exchange.run { exchange in
            _ = try await exchange.installation.createApp(settings: Self.settings)
            let path = "/.well-known/assetlinks.json"
            let tag = try #require(try await exchange.get(path).headers[.eTag])
            let again = try await exchange.get(path, headers: [.ifNoneMatch: tag])
            #expect(again.status == 304)
            #expect(again.bytes.isEmpty)
            for (tags, status) in [("W/\"0\", W/" + tag, 304), (tag + "\u{301}, \"0\"", 304), ("\"0\"", 200), ("", 200)] {
                let answer = try await exchange.get(path, headers: [.ifNoneMatch: tags])
                #expect(answer.status == status, "\(tags)")
            }
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

extension Exchange {
    /// An app without a domain.
    fileprivate func createBakery() async throws -> CreatedApp {
        let settings = DomainRoutesTests.settings.merging(["android_package_name": "com.example.bakery"])
        return try await installation.createApp("Bakery", settings: settings)
    }

    /// The Android packages in a host's assetlinks.json.
    fileprivate func packages(_ host: String = "go.example.com") async throws -> [String] {
        let statements = try await get("/.well-known/assetlinks.json", host: host).json.array ?? []
        return statements.compactMap { $0.object?["target"]?.object?["package_name"]?.string }
    }
}
