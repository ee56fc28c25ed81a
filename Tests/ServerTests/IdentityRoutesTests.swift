import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@Suite struct IdentityRoutesTests {
    private static func tokens(_ answer: Exchange.Answer) -> JSONObject {
        answer.object.filter { key, _ in ["identity_id", "device_fingerprint_id", "session_id"].contains(key) }
    }

    @Test func anAnonymousUserIsNamedAndKeepsItsTokenAndFirstSession() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.get(try await exchange.createLink(key, ["data": ["variety": "Cox"]]))
            let install = try await exchange.install(key)

            let profile = try await exchange.post(
                "/v1/profile", .object(Self.tokens(install).merging(["branch_key": .string(key), "identity": "ann"])))

            #expect(profile.status == 200)
            for name in ["identity_id", "session_id", "link"] { #expect(profile.object[name] == install.object[name], "\(name)") }
            #expect(profile.object["randomized_bundle_token"] == profile.object["identity_id"])
            #expect(profile.object["identity"] == "ann")
            let referring = try JSON.parse(#require(profile.object["referring_data"]?.string))
            #expect(try referring == .object(install.data))
        }
    }

    @Test func aKnownNameIsSwitchedToWithItsOwnFirstSession() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.get(try await exchange.createLink(key, ["data": ["variety": "Cox"]]))
            let ann = try await exchange.install(key, ["identity": "ann"])
            let tablet = try await exchange.install(key, from: "198.51.100.4")

            let profile = try await exchange.post(
                "/v1/profile", .object(Self.tokens(tablet).merging(["branch_key": .string(key), "identity": "ann"])))

            #expect(profile.object["identity_id"] == ann.object["identity_id"])
            #expect(profile.object["identity_id"] != tablet.object["identity_id"])
            #expect(profile.object["referring_data"]?.string?.contains("Cox") == true)
            let opened = try await exchange.post(
                "/v1/open",
                ["branch_key": .string(key), "device_fingerprint_id": tablet.object["device_fingerprint_id"]!])
            #expect(opened.object["identity"] == "ann")
        }
    }

    @Test func aLogoutMakesANewAnonymousUser() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let install = try await exchange.install(key, ["identity": "ann"])

            let logout = try await exchange.post(
                "/v1/logout", .object(Self.tokens(install).merging(["branch_key": .string(key)])))

            #expect(logout.status == 200)
            for name in ["session_id", "identity_id", "link"] {
                #expect(logout.object[name]?.string?.isEmpty == false)
                #expect(logout.object[name] != install.object[name], "\(name)")
            }
            #expect(logout.object["identity"] == nil)
            let opened = try await exchange.post(
                "/v1/open",
                ["branch_key": .string(key), "device_fingerprint_id": install.object["device_fingerprint_id"]!])
            #expect(opened.object["identity_id"] == logout.object["identity_id"])
            #expect(opened.object["identity"] == nil)
        }
    }

    @Test func anAnonymousUserStaysTheSameAfterAnotherLogout() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let install = try await exchange.install(key, ["identity": "ann"])
            func logOut() async throws -> JSON? {
                try await exchange.post("/v1/logout", .object(Self.tokens(install).merging(["branch_key": .string(key)])))
                    .object["identity_id"]
            }
            let anonymous = try await logOut()
            #expect(anonymous != install.object["identity_id"])
            #expect(try await logOut() == anonymous)
        }
    }

    @Test func firstSessionParametersAreKeptForGood() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.get(try await exchange.createLink(key, ["data": ["variety": "Cox"]]))
            let first = try await exchange.install(key, ["ios_vendor_id": "V1", "identity": "ann"])
            _ = try await exchange.get(try await exchange.createLink(key, ["data": ["variety": "Conference"]]))
            let reinstalled = try await exchange.install(key, ["ios_vendor_id": "V1"])
            #expect(try reinstalled.data["variety"] == "Conference")
            let profile = try await exchange.post(
                "/v1/profile", .object(Self.tokens(first).merging(["branch_key": .string(key), "identity": "ann"])))
            #expect(profile.object["referring_data"]?.string?.contains("Cox") == true)
        }
    }

    @Test(arguments: [nil, "", .string(String(repeating: "x", count: 128)), ["a"]] as [JSON])
    func aNameMustBeOne(name: JSON) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.post("/v1/profile", ["branch_key": .string(key), "identity": name])
            #expect(answer.status == 400)
            #expect(answer.errorMessage?.contains("identity") == true)
        }
    }

    @Test func callsWithoutAnyTokenAreAnsweredWholeAllTheSame() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for answer in [
                try await exchange.post("/v1/profile", ["branch_key": .string(key), "identity": "ann"]),
                try await exchange.post("/v1/logout", ["branch_key": .string(key), "identity_id": "bnc_no_value"]),
            ] {
                #expect(answer.status == 200)
                for name in ["session_id", "identity_id", "randomized_bundle_token", "link"] {
                    #expect(answer.object[name]?.string?.isEmpty == false, "\(name)")
                }
            }
        }
    }
}
