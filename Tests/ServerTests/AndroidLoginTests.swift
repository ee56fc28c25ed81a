import Linden
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// The login on a phone with Android SDK 5.9 or later: opens name the user only in the process in which the app logged in, events always.
@Suite struct AndroidLoginTests {
    @Test(arguments: ["android5.9.0", "android5.16.3", "android5.21.2"])
    func aRestartOfTheAppKeepsItsUser(sdk: String) async throws {
        try await Exchange.run { exchange in
            let phone = try await Phone(exchange, sdk: sdk)
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
            let phone = try await Phone(exchange)
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
            let phone = try await Phone(exchange)
            let before = try await phone.open()
            try await phone.event(as: "bnc_no_value")
            #expect(try await phone.open()["identity_id"] == before["identity_id"])
        }
    }

    @Test func aLoginAfterALogoutCountsWhicheverCallTellsOfIt() async throws {
        try await Exchange.run { exchange in
            let phone = try await Phone(exchange)
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
            let phone = try await Phone(exchange)
            let ann = try await phone.open(as: "ann")
            let bob = try await phone.open(as: "bob")
            #expect(bob["identity_id"] != ann["identity_id"])
            #expect(try await phone.open()["identity"] == "bob")
            try await phone.event(as: "carol")
            #expect(try await phone.open()["identity"] == "carol")
            #expect(try await phone.devices(of: "carol") == 1)
        }
    }

    @Test func aLogoutThatIsToldAgainDoesNotUndoTheLoginAfterIt() async throws {
        try await Exchange.run { exchange in
            let phone = try await Phone(exchange)
            _ = try await phone.open(as: "ann")
            try await phone.event(as: "bnc_no_value", request: "event-1-2027011508")
            _ = try await phone.open(as: "ann")
            try await phone.event(as: "bnc_no_value", request: "event-1-2027011508")
            #expect(try await phone.open()["identity"] == "ann")
        }
    }

    @Test func olderSDKsLeaveTheLogoutToTheServer() async throws {
        try await Exchange.run { exchange in
            let phone = try await Phone(exchange, sdk: "android5.8.2")
            _ = try await phone.open(as: "ann")
            try await phone.event(as: "bnc_no_value")
            #expect(try await phone.open()["identity"] == "ann")
        }
    }

    /// A server may report what happened before another user took the phone.
    @Test func aServersEventSwitchesNoUser() async throws {
        try await Exchange.run { exchange in
            let phone = try await Phone(exchange)
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

    // MARK: Databases in which each restart was a logout

    /// What an earlier version wrote: it read an Android open like one of an SDK whose opens always name the user.
    @Test func usersThatWereSplitAreOneAgain() async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            let identities = try await Exchange.run(path: path) { exchange in
                let phone = try await Phone(exchange, sdk: "ios3.14.0")
                try await phone.event(as: "bnc_no_value", sdk: "android5.8.2")
                let ann = try await phone.open(as: "ann")
                let split = try await phone.open()
                try await phone.event(as: nil)
                _ = try await phone.open()
                _ = try await exchange.mint(phone.key, ["identity_id": split["identity_id"]!])
                try await exchange.forgetMigration()
                #expect(try await phone.devices(of: "ann") == 0)
                return (ann["identity_id"], split["identity_id"])
            }
            #expect(identities.0 != identities.1)
            try await Exchange.run(path: path) { exchange in
                for table in ["devices", "sessions", "events", "links"] {
                    let anonymous = try await exchange.rows(
                        """
                        SELECT COUNT(*) FROM \(table) JOIN identities ON identities.id = \(table).identity_id
                        WHERE developer_identity IS NULL
                        """)
                    #expect(anonymous == 0, "\(table)")
                }
                for check in exchange.services.verification.checks() {
                    #expect(try await exchange.services.verification.result(of: check).problems == [], "\(check.name)")
                }
            }
        }
    }

    @Test func anEventThatToldOfALogoutEndsTheRepair() async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            try await Exchange.run(path: path) { exchange in
                let phone = try await Phone(exchange, sdk: "ios3.14.0")
                _ = try await phone.open(as: "ann")
                _ = try await phone.open()
                try await phone.event(as: "bnc_no_value", sdk: "android5.8.2")
                _ = try await phone.open()
                try await exchange.forgetMigration()
            }
            try await Exchange.run(path: path) { exchange in
                let ofAnn = try await exchange.rows(
                    """
                    SELECT COUNT(*) FROM sessions JOIN identities ON identities.id = sessions.identity_id
                    WHERE developer_identity = 'ann'
                    """)
                // The install, the login and the restart, not what followed the logout.
                #expect(ofAnn == 3)
                #expect(try await exchange.rows("SELECT COUNT(*) FROM sessions") == 4)
                let events = try await exchange.rows(
                    "SELECT COUNT(*) FROM events JOIN identities ON identities.id = events.identity_id WHERE developer_identity IS NULL"
                )
                #expect(events == 1)
                let devices = try await exchange.rows(
                    "SELECT COUNT(*) FROM devices JOIN identities ON identities.id = devices.identity_id WHERE developer_identity IS NULL"
                )
                #expect(devices == 1)
            }
        }
    }

    @Test func aLogoutBeforeTheOpenWasOne() async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            try await Exchange.run(path: path) { exchange in
                let phone = try await Phone(exchange, sdk: "ios3.14.0")
                _ = try await phone.open(as: "ann")
                try await phone.event(as: "bnc_no_value", sdk: "android5.8.2")
                _ = try await phone.open()
                try await exchange.forgetMigration()
            }
            try await Exchange.run(path: path) { exchange in
                let devices = try await exchange.rows(
                    "SELECT COUNT(*) FROM devices JOIN identities ON identities.id = devices.identity_id WHERE developer_identity IS NULL"
                )
                #expect(devices == 1)
            }
        }
    }

    /// A phone with the app, which keeps its device token.
    private struct Phone {
        let exchange: Exchange
        let key: String
        let device: JSON
        private let bundle: JSON
        private let sdk: String

        init(_ exchange: Exchange, sdk: String = "android5.16.3") async throws {
            self.exchange = exchange
            self.sdk = sdk
            key = try await exchange.installation.createApp().live.key.branchKey
            let install = try await exchange.install(key, ["sdk": .string(sdk), "os": "Android", "os_version": 34]).object
            device = try #require(install["randomized_device_token"])
            bundle = try #require(install["randomized_bundle_token"])
        }

        func open(as name: String? = nil) async throws -> JSONObject {
            exchange.installation.clock.advance(by: .seconds(60))
            var body: JSONObject = [
                "branch_key": .string(key), "sdk": .string(sdk), "os": "Android", "os_version": 34,
                "randomized_device_token": device, "randomized_bundle_token": bundle,
            ]
            if let name { body["identity"] = .string(name) }
            return try await exchange.post("/v1/open", .object(body)).object
        }

        /// The SDK's name and version are apart in events.
        func event(as name: String?, sdk: String? = nil, request: String? = nil) async throws {
            exchange.installation.clock.advance(by: .seconds(60))
            let version = String((sdk ?? self.sdk).drop { $0.isLetter })
            var user: JSONObject = ["randomized_device_token": device, "sdk": "android", "sdk_version": .string(version)]
            user["developer_identity"] = name.map(JSON.string)
            var body: JSONObject = ["branch_key": .string(key), "name": "tasted", "user_data": .object(user)]
            body["branch_sdk_request_unique_id"] = request.map(JSON.string)
            #expect(try await exchange.post("/v2/event/custom", .object(body)).status == 200)
        }

        /// How many devices a user is on now.
        func devices(of name: String) async throws -> Int {
            let scope = try await exchange.services.directory.app(branchKey: key).scope
            let user = try await exchange.services.people.identity(name, in: scope)
            return try await exchange.services.people.summary(of: user).devices.count
        }
    }
}

extension Exchange {
    /// Makes the database one that an earlier version wrote on Android phones.
    fileprivate func forgetMigration() async throws {
        try await installation.storage.write { transaction in
            let connection = (transaction as! SQLTransaction).connection
            try connection.execute("UPDATE devices SET sdk = 'android5.16.3', os = 'Android'")
            try connection.execute("DELETE FROM migrations WHERE name = 'split_users'")
        }
    }
}
