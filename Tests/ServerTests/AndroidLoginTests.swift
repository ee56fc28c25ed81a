import LindenKernel
import LindenTesting
import Testing

/// The login with Android SDK 5.9 or later: opens name the user only in the process in which the app logged in, events always.
@Suite struct AndroidLoginTests {
    @Test(arguments: ["android5.9.0", "android5.16.3", "android5.21.2"])
    func aRestartOfTheAppKeepsItsUser(sdk: String) async throws {
        try await Exchange.run { exchange in
            let phone = try await AndroidPhone(exchange, sdk: sdk)
            let login = try await phone.open(as: "ann")
            for _ in 1...2 {
                let restart = try await phone.open()
                #expect(restart["identity_id"] == login["identity_id"])
                #expect(restart["identity"] == "ann")
            }
            #expect(try await phone.devices(of: "ann") == 1)
        }
    }

    @Test func anEventWithoutAUserIsALogout() async throws {
        try await Exchange.run { exchange in
            let phone = try await AndroidPhone(exchange)
            let ann = try await phone.open(as: "ann")
            try await phone.event(as: "bnc_no_value")
            let first = try await phone.open()
            try await phone.event(as: "bnc_no_value")
            let second = try await phone.open()
            #expect(first["identity"] == nil && second["identity"] == nil)
            #expect(first["identity_id"] != ann["identity_id"])
            #expect(second["identity_id"] == first["identity_id"])
            #expect(try await phone.devices(of: "ann") == 0)
            let ofAnn = try await exchange.rows(
                "SELECT COUNT(*) FROM events JOIN identities ON identities.id = events.identity_id WHERE developer_identity = 'ann'"
            )
            #expect(ofAnn == 0)
        }
    }

    @Test func anEventWithoutAUserBeforeTheFirstLoginChangesNothing() async throws {
        try await Exchange.run { exchange in
            let phone = try await AndroidPhone(exchange)
            let before = try await phone.open()
            try await phone.event(as: "bnc_no_value")
            #expect(try await phone.open()["identity_id"] == before["identity_id"])
        }
    }

    @Test func aLoginAfterALogoutCountsWhicheverCallTellsOfIt() async throws {
        try await Exchange.run { exchange in
            let phone = try await AndroidPhone(exchange)
            let ann = try await phone.open(as: "ann")
            try await phone.event(as: "bnc_no_value")
            #expect(try await phone.open(as: "ann")["identity_id"] == ann["identity_id"])
            try await phone.event(as: "bnc_no_value")
            try await phone.event(as: "ann")
            let restart = try await phone.open()
            #expect(restart["identity_id"] == ann["identity_id"])
            #expect(restart["identity"] == "ann")
        }
    }

    @Test func anotherUserTakesThePhoneOverByAnOpenOrAnEvent() async throws {
        try await Exchange.run { exchange in
            let phone = try await AndroidPhone(exchange)
            let ann = try await phone.open(as: "ann")
            let bob = try await phone.open(as: "bob")
            #expect(bob["identity_id"] != ann["identity_id"])
            #expect(try await phone.open()["identity"] == "bob")
            try await phone.event(as: "carol")
            #expect(try await phone.open()["identity"] == "carol")
            #expect(try await phone.devices(of: "carol") == 1)
        }
    }

    @Test func aLogoutThatIsReportedAgainDoesNotUndoTheLoginAfterIt() async throws {
        try await Exchange.run { exchange in
            let phone = try await AndroidPhone(exchange)
            _ = try await phone.open(as: "ann")
            try await phone.event(as: "bnc_no_value", request: "event-1-2027011508")
            _ = try await phone.open(as: "ann")
            try await phone.event(as: "bnc_no_value", request: "event-1-2027011508")
            #expect(try await phone.open()["identity"] == "ann")
        }
    }

    @Test func olderSDKsLeaveTheLogoutToTheServer() async throws {
        try await Exchange.run { exchange in
            let phone = try await AndroidPhone(exchange, sdk: "android5.8.2")
            _ = try await phone.open(as: "ann")
            try await phone.event(as: "bnc_no_value")
            #expect(try await phone.open()["identity"] == "ann")
        }
    }

    /// A server may report events that happened before another user took over the phone.
    @Test func aServersEventSwitchesNoUser() async throws {
        try await Exchange.run { exchange in
            let phone = try await AndroidPhone(exchange)
            _ = try await phone.open(as: "ann")
            _ = try await exchange.post(
                "/v2/event/custom",
                [
                    "branch_key": .string(phone.key), "name": "x",
                    "user_data": .object(["randomized_device_token": phone.device, "developer_identity": "bob"]),
                ])
            #expect(try await phone.open()["identity"] == "ann")
        }
    }
}
