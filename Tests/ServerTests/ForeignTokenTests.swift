import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Information that becomes known about a user gives no access as that user and no further information.
@Suite struct ForeignTokenTests {
    @Test func whoIsSentALinkIsNotItsUser() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let owner = try await exchange.install(key, ["identity": "ann", "sdk": "ios1.30.0"])
            let link = try #require(owner.object["link"]?.string)
            let shared = try #require(link.firstMatch(of: /identity_id=([0-9]+)/)?.1)

            let stranger = try await exchange.post(
                "/v1/open", ["branch_key": .string(key), "identity_id": .string(String(shared))])
            #expect(stranger.object["identity"] == nil)
            #expect(stranger.object["identity_id"] != owner.object["identity_id"])

            // Installs by the link are still credited to its owner.
            let path = String(link.dropFirst("https://go.example.com".count))
            let click = try #require(try await exchange.get(path + "&channel=sms").linkClickID)
            _ = try await exchange.install(key, ["link_identifier": .string(click)], from: "192.0.2.9")
            let identity = try #require(owner.object["identity_id"]?.string)
            #expect(try await exchange.get("/v1/referrals/\(identity)").body.contains(#""install":{"total":1"#))
        }
    }

    @Test func anAdvertisingIdIdentifiesNoReturningUser() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let phone: JSONObject = ["os": "Android", "google_advertising_id": "38f1-0001", "is_hardware_id_real": false]
            let victim = try await exchange.install(key, phone.merging(["identity": "ann"]), from: "192.0.2.1").object
            let stranger = try await exchange.install(key, phone, from: "192.0.2.2").object
            #expect(stranger["identity"] == nil)
            #expect(stranger["identity_id"] != victim["identity_id"])
            #expect(stranger["device_fingerprint_id"] != victim["device_fingerprint_id"])
        }
    }

    @Test func aSessionOfAnotherAppIsNone() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let other = try await exchange.installation.createApp("Other")
            let session = try #require(try await exchange.install(key).object["session_id"])
            for foreign in [other.live.key.branchKey, other.test.key.branchKey] {
                let event = try await exchange.post(
                    "/v1/event", ["branch_key": .string(foreign), "event": "e", "session_id": session])
                #expect(event.status == 200)
                let profile = try await exchange.post(
                    "/v1/profile", ["branch_key": .string(foreign), "identity": "ann", "session_id": session])
                #expect(profile.object["session_id"] != session)
            }
            #expect(try await exchange.rows("SELECT COUNT(*) FROM events WHERE session_id IS NOT NULL") == 0)
        }
    }

    @Test func anEventIsNeverGivenToAnotherThanItNames() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let ann = try await exchange.install(key, ["identity": "ann"]).object
            let user: JSONObject = ["randomized_device_token": ann["randomized_device_token"]!, "developer_identity": "bob"]
            _ = try await exchange.post("/v2/event/custom", ["branch_key": .string(key), "name": "x", "user_data": .object(user)])
            #expect(
                try await exchange.rows(
                    """
                    SELECT COUNT(*) FROM events JOIN identities ON identities.id = events.identity_id
                    WHERE developer_identity = 'bob'
                    """) == 1)
        }
    }

    @Test func anAnonymousUserWhomAnEventNamesHasThatNameAtTheNextOpen() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let install = try await exchange.install(key, ["sdk": "ios3.14.0"]).object
            let user: JSONObject = ["randomized_device_token": install["randomized_device_token"]!, "developer_identity": "ann"]
            _ = try await exchange.post("/v2/event/custom", ["branch_key": .string(key), "name": "x", "user_data": .object(user)])
            let open = try await exchange.post(
                "/v1/open",
                [
                    "branch_key": .string(key), "randomized_device_token": install["randomized_device_token"]!, "identity": "ann",
                    "sdk": "ios3.14.0",
                ])
            #expect(open.object["identity_id"] == install["identity_id"])
        }
    }

    @Test func clicksOfAnotherAppDoNotLieOnAnAppsDomain() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.installation.createApp("Bank", domain: "bank.example.com")
            let click = try #require(try await exchange.get(try await exchange.createLink(key)).linkClickID)
            #expect(try await exchange.get("/c/\(click)", host: "bank.example.com").status == 404)
            #expect(try await exchange.get("/c/\(click)").status == 200)
        }
    }

    @Test(arguments: ["/v1/profile", "/v1/logout"])
    func aRetryWithUnknownTokensIsAnsweredAsBefore(call: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            // The tokens of an app that has migrated from Branch.
            let body: JSONObject = [
                "branch_key": .string(key), "identity": "ann", "identity_id": "811645508874040815",
                "device_fingerprint_id": "811645508874040816", "session_id": "811645508874040817", "retryNumber": 0,
            ]
            let first = try await exchange.post(call, .object(body))
            let before = try await exchange.rows("SELECT COUNT(*) FROM identities")
            let retry = try await exchange.post(call, .object(body.merging(["retryNumber": 1])))
            #expect(retry.body == first.body)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM identities") == before)
            #expect(before == 1)
        }
    }

    @Test func aClicksOwnLinkCarriesWhatWasClicked() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let short = try await exchange.createLink(key, ["alias": "pears"]) + "?ref=mail"
            for target in [short, "/a/\(key)?ref=mail"] {
                let click = try #require(try await exchange.get(target).linkClickID)
                let again = try #require(try await exchange.get("/c/\(click)").linkClickID)
                let data = try await exchange.install(key, ["link_identifier": .string(again)], from: "192.0.2.9").data
                #expect(data["ref"] == "mail")
            }
            let click = try #require(try await exchange.get("/a/\(key)?ref=mail").linkClickID)
            let url = "https://go.example.com/c/\(click)"
            let opened = try await exchange.install(key, ["universal_link_url": .string(url)], from: "192.0.2.10").data
            #expect(opened["ref"] == "mail")
        }
    }

    @Test func aLongLinkOnBranchsOwnHostIsOursByItsKey() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let url = "https://bnc.lt/a/\(key)?variety=Cox"
            #expect(try await exchange.install(key, ["universal_link_url": .string(url)]).data["variety"] == "Cox")
            let foreign = "https://bnc.lt/a/key_live_unknown?variety=Cox"
            #expect(try await exchange.install(key, ["universal_link_url": .string(foreign)]).data["+clicked_branch_link"] == false)
        }
    }

    @Test func aPageIsNotTheUsersPhone() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let page = try await exchange.post(
                "/v1/open", ["branch_key": .string(app.live.key.branchKey), "sdk": "web2.84.0", "identity": "sue"])
            let phone = try await exchange.serverOpen(app, by: "sue")
            #expect(phone.object["identity_id"] == page.object["identity_id"])
            #expect(phone.object["device_fingerprint_id"] != page.object["device_fingerprint_id"])
            #expect(try phone.data["+is_first_session"] == true)
        }
    }

    @Test func aQueryHasALimitedNumberOfItems() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let items = (0..<300).map { "k\($0)=v" }.joined(separator: "&")
            let link = try await exchange.createLink(key)

            _ = try await exchange.get(link + "?" + items)

            let data = try await exchange.install(key).data
            #expect(data["k255"] == "v")
            #expect(data["k256"] == nil)
        }
    }

    @Test func whatAClickNamesDoesNotGrowWithEachClick() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            var path = "/a/\(key)?x=1"
            for _ in 1...6 {
                let click = try #require(try await exchange.get(path).linkClickID)
                path = "/c/\(click)?x=" + String(repeating: "y", count: 7000)
            }
            #expect(try await exchange.rows("SELECT MAX(LENGTH(query)) FROM clicks") <= 16 * 1024)
        }
    }
}
