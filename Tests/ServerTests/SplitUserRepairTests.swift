import Linden
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// The repair of databases in which each restart of an Android app was a logout.
@Suite struct SplitUserRepairTests {
    /// Repairs data of an earlier version, which treated Android opens like those of SDKs whose opens always name the user.
    @Test func usersThatWereSplitAreOneAgain() async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            let identities = try await Exchange.run(path: path) { exchange in
                let phone = try await AndroidPhone(exchange, sdk: "ios3.14.0")
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

    @Test func anEventThatReportedALogoutEndsTheRepair() async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            try await Exchange.run(path: path) { exchange in
                let phone = try await AndroidPhone(exchange, sdk: "ios3.14.0")
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
                // The install, the login and the restart, but not the open after the logout.
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
                let phone = try await AndroidPhone(exchange, sdk: "ios3.14.0")
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

    @Test func anEventThatNamesAnotherUserEndsTheRepair() async throws {
        try await Self.repair { phone in
            _ = try await phone.exchange.install(phone.key, ["identity": "bob"], from: "203.0.113.9")
            _ = try await phone.open(as: "ann")
            let split = try await phone.open()
            try await phone.event(as: "bob", sdk: "android5.8.2")
            _ = try await phone.open()
            try await phone.grant(7, to: split)
        } then: { phone async throws in
            #expect(try await phone.sessions(of: "'ann'") == 3)
            #expect(try await phone.sessions(of: nil) == 1)
            #expect(try await phone.devices(of: "ann") == 0)
            // Credits earned by the device's next user are not Ann's.
            #expect(try await phone.balances(of: "ann") == ["default": 0])
        }
    }

    @Test func anEventThatNamesTheUserBeforeDoesNotEndTheRepair() async throws {
        try await Self.repair { phone in
            _ = try await phone.open(as: "ann")
            _ = try await phone.open()
            try await phone.event(as: "ann", sdk: "android5.8.2")
            _ = try await phone.open()
        } then: { phone async throws in
            #expect(try await phone.sessions(of: "'ann'") == 4)
            #expect(try await phone.devices(of: "ann") == 1)
        }
    }

    @Test func theLastClickGoesAlong() async throws {
        try await Self.repair { phone in
            _ = try await phone.open(as: "ann", with: ["link_identifier": .string(try await phone.click())])
            _ = try await phone.open()
            _ = try await phone.open(with: ["link_identifier": .string(try await phone.click())])
        } then: { phone async throws in
            let clicks = try await phone.exchange.rows(
                """
                SELECT COUNT(*) FROM identities
                WHERE developer_identity = 'ann' AND last_click_id = (SELECT MAX(click_id) FROM sessions)
                """)
            #expect(clicks == 1)
        }
    }

    @Test func referralsAreOfTheUserBeforeAndNeverByThatUser() async throws {
        try await Self.repair { phone in
            let ann = try await phone.open(as: "ann")
            let split = try await phone.open()
            // A link of the same user, opened by that user.
            _ = try await phone.open(with: ["link_identifier": .string(try await phone.click(by: ann))])
            let click = try await phone.click(by: split)
            _ = try await phone.exchange.install(
                phone.key, ["identity": "eve", "link_identifier": .string(click)], from: "203.0.113.9")
        } then: { phone async throws in
            let broughtByAnn = """
                referring_identity_id = (SELECT id FROM identities WHERE developer_identity = 'ann')
                """
            #expect(try await phone.exchange.rows("SELECT COUNT(*) FROM identities WHERE referring_identity_id IS NOT NULL") == 1)
            #expect(
                try await phone.exchange.rows(
                    "SELECT COUNT(*) FROM identities WHERE developer_identity = 'eve' AND \(broughtByAnn)") == 1)
            #expect(try await phone.exchange.rows("SELECT COUNT(*) FROM sessions WHERE referring_identity_id IS NOT NULL") == 1)
            #expect(try await phone.exchange.rows("SELECT COUNT(*) FROM referrals") == 1)
            #expect(try await phone.exchange.rows("SELECT COUNT(*) FROM referrals WHERE \(broughtByAnn)") == 1)
        }
    }

    // MARK: Credits

    @Test func anAccountWithoutEntriesKeepsNothingApart() async throws {
        try await Self.repair { phone in
            _ = try await phone.open(as: "ann")
            let split = try phone.identity(try await phone.open())
            try await phone.exchange.installation.storage.write { transaction in
                let scope = try #require(try transaction.identity(split)).scope
                _ = try transaction.openCreditAccount(of: .user(split), .standard, in: scope)
            }
        } then: { phone async throws in
            #expect(try await phone.sessions(of: nil) == 0)
            #expect(try await phone.devices(of: "ann") == 1)
            #expect(try await phone.exchange.rows("SELECT COUNT(*) FROM credit_accounts") == 0)
        }
    }

    @Test func creditsAreThoseOfOneUserAgain() async throws {
        try await Self.repair { phone in
            let ann = try await phone.open(as: "ann")
            try await phone.grant(5, to: ann)
            let first = try await phone.open()
            try await phone.grant(7, to: first)
            try await phone.grant(3, to: first, endingAfter: 30)
            try await phone.grant(11, to: first, in: "coins")
            // A second login and restart makes a second anonymous user.
            _ = try await phone.open(as: "ann")
            let second = try await phone.open()
            try await phone.grant(20, to: second)
            try await phone.grant(40, to: second, in: "coins")
        } then: { phone async throws in
            #expect(try await phone.sessions(of: nil) == 0)
            #expect(try await phone.devices(of: "ann") == 1)
            #expect(try await phone.balances(of: "ann") == ["default": 35, "coins": 51])
            // Six grants, and the three balances that were moved.
            #expect(try await phone.exchange.rows("SELECT COUNT(*) FROM credit_transactions") == 9)
            let elsewhere = try await phone.exchange.rows(
                """
                SELECT COUNT(*) FROM credit_accounts JOIN identities ON identities.id = identity_id
                WHERE developer_identity IS NULL AND balance > 0
                """)
            #expect(elsewhere == 0)
            // Expiring credits keep their expiry, and the ledger remains consistent.
            phone.exchange.installation.clock.advance(by: .seconds(86400 * 40))
            try await phone.exchange.services.credits.expire()
            #expect(try await phone.balances(of: "ann") == ["default": 32, "coins": 51])
            try await phone.exchange.expectBooksAreRight()
        }
    }

    /// Writes a history as an earlier version would have, migrates it and checks the result.
    private static func repair(
        _ history: @escaping @Sendable (AndroidPhone) async throws -> Void,
        then expectations: @escaping @Sendable (AndroidPhone) async throws -> Void
    ) async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            let phone = try await Exchange.run(path: path) { exchange in
                let phone = try await AndroidPhone(exchange, sdk: "ios3.14.0")
                try await history(phone)
                try await exchange.forgetMigration()
                return phone
            }
            try await Exchange.run(path: path) { exchange in
                try await expectations(phone.moved(to: exchange))
                try await exchange.expectBooksAreRight()
            }
        }
    }
}

extension AndroidPhone {
    /// Clicks a new link, which a user may own, and returns the click's id.
    fileprivate func click(by user: JSONObject? = nil) async throws -> String {
        exchange.installation.clock.advance(by: .seconds(60))
        let link = try await exchange.mint(
            key, ["identity_id": user?["identity_id"] ?? .null, "data": ["$deeplink_path": "apples/cox"]])
        return try #require(try await exchange.get(link).linkClickID)
    }

    fileprivate func identity(_ user: JSONObject) throws -> Identity.ID {
        let token = try #require(user["identity_id"]?.scalarText)
        return try #require(exchange.services.publicIDs.id(for: token))
    }

    fileprivate func grant(_ amount: Int64, to user: JSONObject, in bucket: String = "default", endingAfter days: Int64? = nil)
        async throws
    {
        exchange.installation.clock.advance(by: .seconds(60))
        let end = days.map { exchange.installation.clock.now + .seconds(86400 * $0) }
        _ = try await exchange.services.credits.grant(
            CreditGrant(
                holder: .reference("anonymous", id: try identity(user)), amount: try CreditAmount(amount),
                bucket: try Bucket(bucket),
                expiresAt: end),
            CreditReason(.operator), try CreditCall(), in: try await exchange.services.directory.app(branchKey: key).scope)
    }

    fileprivate func balances(of name: String) async throws -> [String: Int64] {
        let scope = try await exchange.services.directory.app(branchKey: key).scope
        let balances = try await exchange.services.credits.balances(of: .named(name), in: scope)
        return Dictionary(uniqueKeysWithValues: balances.map { ($0.bucket.name, $0.balance) })
    }

    /// - Parameter name: in quotes; nil for anonymous users.
    fileprivate func sessions(of name: String?) async throws -> Int64 {
        try await exchange.rows(
            """
            SELECT COUNT(*) FROM sessions JOIN identities ON identities.id = sessions.identity_id
            WHERE developer_identity \(name.map { "= \($0)" } ?? "IS NULL")
            """)
    }
}

extension Exchange {
    /// Makes the database look like one that an earlier version wrote for Android phones.
    fileprivate func forgetMigration() async throws {
        try await installation.storage.write { transaction in
            let connection = (transaction as! SQLTransaction).connection
            try connection.execute("UPDATE devices SET sdk = 'android5.16.3', os = 'Android'")
            try connection.execute("DELETE FROM migrations WHERE name = 'split_users'")
        }
    }
}
