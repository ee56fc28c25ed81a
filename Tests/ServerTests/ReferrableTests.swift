import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLiteStorage
import Testing

/// The rules of referrals (`is_referrable`).
@Suite struct ReferrableTests {
    private struct Meeting: Sendable {
        let exchange: Exchange
        let key: String
        let owner: String
        let click: String

        /// Ann shares a link, and another visitor clicks it.
        init(_ exchange: Exchange) async throws {
            self.exchange = exchange
            key = try await exchange.installation.createApp().live.key.branchKey
            owner = try #require(try await exchange.install(key, from: "192.0.2.1").object["identity_id"]?.string)
            let path = try await exchange.createLink(key, ["identity_id": .string(owner), "channel": "friends"])
            click = try #require(try await exchange.get(path).linkClickID)
        }

        func install(_ fields: JSONObject) async throws -> Exchange.Answer {
            try await exchange.install(key, fields, from: "192.0.2.2")
        }

        func open(_ user: Exchange.Answer, _ fields: JSONObject = [:]) async throws -> Exchange.Answer {
            try await exchange.post(
                "/v1/open",
                .object(
                    fields.merging([
                        "branch_key": .string(key), "device_fingerprint_id": user.object["device_fingerprint_id"]!,
                        "link_identifier": .string(click),
                    ])))
        }

        /// The token of a user's referrer.
        func referrer(of user: Exchange.Answer) async throws -> String? {
            let id = try identity(user)
            return try await exchange.installation.storage.read { try $0.referrer(of: id) }
                .map { exchange.services.publicIDs.string(for: $0) }
        }

        private func identity(_ user: Exchange.Answer) throws -> Identity.ID {
            let token = try #require(user.object["identity_id"]?.string)
            return try #require(exchange.services.publicIDs.id(for: token))
        }

        func firstChannel(of user: Exchange.Answer) async throws -> JSON? {
            let id = try identity(user)
            return try await exchange.installation.storage.read { try $0.firstSessionData(of: id) }?["~channel"]
        }
    }

    @Test(arguments: [[:], ["is_referrable": 1], ["is_referrable": "maybe"]] as [JSONObject])
    func anInstallBringsItsUser(fields: JSONObject) async throws {
        try await Exchange.run { exchange in
            let meeting = try await Meeting(exchange)
            let user = try await meeting.install(fields.merging(["link_identifier": .string(meeting.click)]))
            #expect(try await meeting.referrer(of: user) == meeting.owner)
            #expect(try await meeting.firstChannel(of: user) == "friends")
        }
    }

    @Test(arguments: [0, "0", false] as [JSON])
    func whoIsNotReferrableGetsTheDataAndIsNotBrought(isReferrable: JSON) async throws {
        try await Exchange.run { exchange in
            let meeting = try await Meeting(exchange)
            let user = try await meeting.install(["link_identifier": .string(meeting.click), "is_referrable": isReferrable])
            #expect(try user.data["~channel"] == "friends")
            #expect(try user.data["+clicked_branch_link"] == true)
            #expect(try await meeting.referrer(of: user) == nil)
            #expect(try await meeting.firstChannel(of: user) == nil)
            let counts = try await exchange.get("/v1/referrals/\(meeting.owner)")
            #expect(counts.body == #"{"install":{"total":0,"unique":0},"open":{"total":0,"unique":0}}"#)
        }
    }

    @Test func anOpenSetsNoReferrerUnlessTheAppAsksForIt() async throws {
        try await Exchange.run { exchange in
            let meeting = try await Meeting(exchange)
            let user = try await meeting.install(["os": "tvOS"])
            _ = try await meeting.open(user)
            #expect(try await meeting.referrer(of: user) == nil)
            #expect(try await meeting.firstChannel(of: user) == nil)
            _ = try await meeting.open(user, ["is_referrable": 1])
            #expect(try await meeting.referrer(of: user) == meeting.owner)
            #expect(try await meeting.firstChannel(of: user) == "friends")
        }
    }

    @Test func theFirstReferrerOfAUserStays() async throws {
        try await Exchange.run { exchange in
            let meeting = try await Meeting(exchange)
            let user = try await meeting.install(["link_identifier": .string(meeting.click)])
            let other = try #require(try await exchange.install(meeting.key, from: "192.0.2.3").object["identity_id"])
            let path = try await exchange.createLink(meeting.key, ["identity_id": other, "channel": "later"])
            let click = try #require(try await exchange.get(path).linkClickID)
            _ = try await meeting.open(user, ["is_referrable": 1]).data
            _ = try await exchange.post(
                "/v1/open",
                [
                    "branch_key": .string(meeting.key), "device_fingerprint_id": user.object["device_fingerprint_id"]!,
                    "link_identifier": .string(click), "is_referrable": 1,
                ])
            #expect(try await meeting.referrer(of: user) == meeting.owner)
            #expect(try await meeting.firstChannel(of: user) == "friends")
        }
    }

    @Test func noUserRefersThemselves() async throws {
        try await Exchange.run { exchange in
            let meeting = try await Meeting(exchange)
            let answer = try await exchange.post(
                "/v1/open",
                [
                    "branch_key": .string(meeting.key), "identity_id": .string(meeting.owner), "is_referrable": 1,
                    "link_identifier": .string(meeting.click),
                ])
            #expect(try await meeting.referrer(of: answer) == nil)
        }
    }
}
