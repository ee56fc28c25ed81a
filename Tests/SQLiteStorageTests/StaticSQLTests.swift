import Linden
import LindenKernel
import LindenServices
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Testing

/// Statements with constant text, whose parameters are bound one by one.
@Suite struct StaticSQLTests {
    private static let scope = Scope(app: Identifier(rawValue: 1), mode: .live)
    private static let insertStrings = StaticSQL(insertInto: "strings", "id, kind, value", "ON CONFLICT DO NOTHING")
    private static let insertString = StaticSQL("INSERT INTO strings (id, kind, value) VALUES ($1, $2, $3)")

    @Test func anInsertHasOneParameterForEachColumn() {
        let text = Self.insertStrings.text
        #expect(text == "INSERT INTO strings (id, kind, value) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING")
        #expect(Self.insertStrings.number != Self.insertString.number)
    }

    @Test func itTellsHowManyRowsItWrote() async throws {
        try await Installation.run { installation in
            let written = try await installation.sql { connection in
                try ["pear", "pear", ""].enumerated().map { number, value in
                    try connection.changedRows(by: Self.insertStrings) { row in
                        row.bind(Int64(number + 1))
                        row.bind(Int64(1))
                        row.bind(value)
                    }
                }
            }
            #expect(written == [1, 0, 1])
            let stored = try await installation.texts("SELECT id || COALESCE(value, 'null') FROM strings ORDER BY id")
            #expect(stored == ["1pear", "3"])
        }
    }

    /// SQLite numbers parameters as they appear, PostgreSQL by their names.
    @Test(arguments: [
        ("SELECT 1", true), ("SELECT $1, $2 WHERE $1 = $2", true), ("SELECT $2, $1", false), ("SELECT $1, $3", false),
        ("SELECT $", false),
    ])
    func parametersFirstAppearInTheirOrder(text: String, inOrder: Bool) {
        #expect(StaticSQL(text).bindsInOrder == inOrder)
    }

    private static let findStrings = StaticSQL(
        "SELECT id, value FROM strings WHERE kind = $1 AND (id = $2 OR value = $3 OR $2 > 10 AND id < $2) ORDER BY id")
    private static let matchNothing = StaticSQL("SELECT id FROM strings WHERE value = $1 AND id = $2")

    @Test func aQueryMayNameAParameterTwiceEndEarlyAndFail() async throws {
        try await Installation.run { installation in
            try await installation.sql { connection in
                func ids(_ id: Int64, _ value: String?) throws -> [Int64] {
                    try connection.query(Self.findStrings, { $0.bind(Int64(1), id, value) }) { $0.integer(0) }
                }
                for (number, value) in ["pear", "plum", "quince"].enumerated() {
                    _ = try connection.changedRows(by: Self.insertStrings) { $0.bind(Int64(number + 1), 1, value) }
                }
                #expect(try ids(1, "plum") == [1, 2])
                #expect(try ids(99, nil) == [1, 2, 3])
                #expect(try ids(9, nil) == [])
                #expect(try ids(3, nil) == [3])
                #expect(try connection.first(Self.findStrings, { $0.bind(1, 99, nil) }) { $0.text(1) } == "pear")
                #expect(try connection.first(Self.findStrings, { $0.bind(2, 99, nil) }) { $0.text(1) } == nil)
                #expect(throws: Spoilt.self) {
                    try connection.query(Self.findStrings, { $0.bind(1, 99, nil) }) { _ in throw Spoilt() }
                }
                #expect(try ids(2, "pear") == [1, 2])
                let nothing = try connection.hasRows(Self.matchNothing) { values in
                    values.bind(nil as String?)
                    values.bind(Int64(1))
                }
                #expect(!nothing)
            }
        }
    }

    private struct Spoilt: Error {}

    @Test(.enabled(if: Engine.isSQLite)) func aStatementThatFailedCanBeRepeatedWithOtherValues() async throws {
        try await Installation.run { installation in
            let areRefused = try await installation.sql { connection in
                func insert(_ id: Int64, _ value: String?) throws {
                    try connection.execute(Self.insertString) { row in
                        row.bind(id)
                        row.bind(Int64(1))
                        row.bind(value)
                    }
                }
                try insert(1, "pear")
                let areRefused = [(try? insert(2, nil)) == nil, (try? insert(1, "plum")) == nil]
                try insert(2, "plum")
                return areRefused
            }
            #expect(areRefused == [true, true])
            #expect(try await installation.texts("SELECT value FROM strings ORDER BY id") == ["pear", "plum"])
        }
    }

    /// The statement is the same one, so nothing of the first click may stay bound.
    @Test func nothingOfAClickIsWrittenWithTheNext() async throws {
        try await Installation.run { installation in
            let clicks = try await installation.storage.write { transaction in
                let (first, second): (Click.ID, Click.ID) = (try transaction.newID(), try transaction.newID())
                let full = Click(
                    id: first, link: Link.ID(rawValue: 2), scope: Self.scope,
                    visitor: Visitor(
                        platform: .android, os: "Android", osVersion: "15", device: .androidPhone, maker: .google, model: "Pixel 8",
                        browser: WebBrowser(.samsungInternet, version: "27.1"), inAppBrowser: .weChat, country: "DE",
                        robot: .prefetch),
                    address: "203.0.113.7", addressClass: .owner, site: 7, userAgent: "Browser/1",
                    referrer: "https://news.example/pears", referrerHost: "news.example", query: "utm_source=news", action: .app,
                    reason: .app, browser: Browser.ID(rawValue: 4), via: Click.ID(rawValue: 5), isReportable: false)
                let bare = Click(
                    id: second, link: Link.ID(rawValue: 2), scope: Self.scope,
                    visitor: Visitor(platform: .desktop), address: "", userAgent: "", referrer: nil, query: nil, reason: nil)
                try transaction.insert(full)
                try transaction.insert(bare)
                return [full, bare]
            }
            for click in clicks {
                let stored = try await installation.storage.read { try $0.click(click.id) }
                #expect(stored == click)
            }
        }
    }

    @Test func aDeviceKeepsWhatItDoesNotReportAgain() async throws {
        try await Installation.run { installation in
            let time = installation.clock.now
            try await installation.sql {
                try $0.execute("INSERT INTO apps (id, name, configuration, created_at, updated_at) VALUES (1, 'A', '{}', 1, 1)")
            }
            let device = Device(
                id: Identifier(rawValue: 4), scope: Self.scope, identity: Identifier(rawValue: 5), isBrowser: true,
                installedAt: time,
                description: DeviceDescription(
                    hardwareID: "h", advertisingID: "a", os: "iOS", osVersion: "17.5", brand: "Apple", model: "iPhone15,2",
                    appVersion: "1.2", sdk: "ios3", country: "DE", language: "de", environment: .fullApp, browser: "safari"))
            let isNew = try await installation.storage.write { transaction in
                [try transaction.insertUnlessTaken(device, at: time), try transaction.insertUnlessTaken(device, at: time)]
            }
            #expect(isNew == [true, false])
            var later = device
            later.identity = Identifier(rawValue: 6)
            later.description = DeviceDescription(osVersion: "18", appVersion: "1.3")
            try await installation.storage.write { [later] in try $0.update(later, from: device, at: $0.now) }

            let stored = try #require(try await installation.storage.read { try $0.device(device.id) })
            var expected = device.description
            expected.osVersion = "18"
            expected.appVersion = "1.3"
            #expect(stored.description == expected)
            #expect(stored.identity == later.identity && stored.isBrowser && stored.installedAt == time)
        }
    }

    /// An install inserts the user that it makes, with all that it sets: each change of a row is a statement more.
    @Test(.enabled(if: Engine.isSQLite)) func anInstallWritesEachRowOfItsUserOnce() async throws {
        try await Installation.run { installation in
            let (app, link) = try await installation.appWithLink()
            try await installation.visit(link, from: "203.0.113.7")
            for table in ["identities", "devices"] {
                try await installation.sql {
                    try $0.execute(
                        script: """
                            CREATE TRIGGER \(table)_change BEFORE UPDATE ON \(table) BEGIN SELECT RAISE(ABORT, 'changed'); END
                            """)
                }
            }
            #expect(try await installation.matches(app, installs: 1, from: "203.0.113.7") == 1)
            let users = try await installation.count(
                """
                SELECT COUNT(*) FROM sessions
                    JOIN devices ON devices.id = device_id AND devices.last_click_id = click_id
                    JOIN identities ON identities.id = sessions.identity_id AND identities.last_click_id = click_id
                        AND first_device_id = devices.id AND first_session_data = data
                """)
            #expect(users == 1)
        }
    }
}

extension SQLBindings {
    fileprivate func bind(_ first: Int64, _ second: Int64, _ text: String?) {
        bind(first)
        bind(second)
        bind(text)
    }
}
