import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// The formats of exports.
@Suite struct ExportFormTests {
    /// Generates a click, its install, a purchase and an event without data, half a minute apart, from 2027-01-15 08:00:00 UTC on.
    private static func run(_ body: @escaping @Sendable (Exchange, Scope, _ link: String) async throws -> Void) async throws {
        try await Exchange.run { exchange in
            let clock = exchange.installation.clock
            let key = try await exchange.installation.createApp().live.key
            let path = try await exchange.createLink(key.branchKey, ["channel": "mail", "data": ["kind": 7]])
            let click = try #require(try await exchange.get(path + "?channel=print").linkClickID)
            clock.advance(by: .seconds(30))
            let install = try await exchange.install(key.branchKey, ["link_identifier": .string(click), "sdk": "ios0.24.2"])
            let tokens = install.object.filter { name, _ in name.hasPrefix("randomized_") }
            for name in ["PURCHASE", "VIEW_ITEM"] {
                clock.advance(by: .seconds(30))
                let event: JSONObject = ["branch_key": .string(key.branchKey), "name": .string(name)]
                _ = try await exchange.post("/v2/event/standard", .object(event.merging(tokens)))
            }
            clock.advance(by: .seconds(1))
            try await body(exchange, key.scope, path)
        }
    }

    private static func lines(
        _ exchange: Exchange, _ topic: ExportTopic, _ fields: [String], _ scope: Scope,
        _ change: (inout ExportRequest) -> Void = { _ in }
    ) async throws -> [String] {
        var request = ExportRequest(
            scope: scope, topic: topic, range: try ExportRange(from: nil, to: nil, now: exchange.installation.clock.now))
        request.columns = try ExportColumn.columns(named: fields, of: topic)
        change(&request)
        var cursor = try await exchange.services.exports.begin(request)
        var bytes: [UInt8] = []
        while let more = try await cursor.next() { bytes += more }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map { String($0) }
        return Array(request.format == .csv ? lines.dropFirst() : lines[...])
    }

    private static func expect(
        _ expected: [String], _ exchange: Exchange, _ topic: ExportTopic, _ fields: [String], _ scope: Scope,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let lines = try await lines(exchange, topic, fields, scope)
        #expect(lines == expected, sourceLocation: sourceLocation)
    }

    private static let zones = [
        (nil, "2027-01-15 08:00:00+0000"), ("Europe/Berlin", "2027-01-15 09:00:00+0100"),
        ("America/St_Johns", "2027-01-15 04:30:00-0330"), ("Asia/Kathmandu", "2027-01-15 13:45:00+0545"),
        ("Pacific/Auckland", "2027-01-15 21:00:00+1300"),
    ]

    @Test func aPageviewThatReportsNoUserAgentHasThatOfItsRequest() async throws {
        try await Self.run { exchange, scope, _ in
            for path in ["/v1/pageview", "/v2/event/custom"] {
                let report: JSON = [
                    "branch_key": .string(try await exchange.services.apps.context("\(scope.app)").key.branchKey),
                    "sdk": "web2.84.0", "name": "seen", "metadata": [:],
                ]
                _ = try await exchange.post(path, report, headers: [.userAgent: UserAgents.desktop])
            }
            exchange.installation.clock.advance(by: .seconds(1))
            let fields = ["user_data_os", "user_data_browser", "user_data_user_agent"]
            try await Self.expect(["LINUX,Chrome,\"\(UserAgents.desktop)\""], exchange, .pageview, fields, scope)
            try await Self.expect(["LINUX,Chrome,\"\(UserAgents.desktop)\""], exchange, .customEvent, fields, scope)
        }
    }

    @Test(arguments: zones)
    func timesAreAsBranchWritesThemInTheZoneAskedFor(zone: String?, text: String) async throws {
        try await Self.run { exchange, scope, _ in
            let times = ExportTimes.branch(in: zone.flatMap { TimeZone(identifier: $0) })
            for format in ExportFormat.allCases {
                let lines = try await Self.lines(exchange, .click, ["timestamp_iso"], scope) {
                    $0.times = times
                    $0.format = format
                }
                #expect(lines == [format == .csv ? text : "{\"timestamp_iso\":\"\(text)\"}\n"])
            }
        }
    }

    @Test func timesKeepTheirMillisecondsInISO8601() async throws {
        try await Self.run { exchange, scope, _ in
            let lines = try await Self.lines(exchange, .click, ["timestamp_iso", "timestamp"], scope) { $0.times = .iso8601 }
            #expect(lines == ["2027-01-15T08:00:00.000Z,1800000000000"])
        }
    }

    @Test func aFilterHasAtMostAThousandValuesInAll() async throws {
        try await Self.run { exchange, scope, _ in
            let names = JSON((1..<1000).map { "name \($0)" } + ["1800000000000"])
            let filter = try ExportFilter(["in", "timestamp", names], of: .click)
            let lines = try await Self.lines(exchange, .click, ["id"], scope) { $0.filter = filter }
            #expect(lines.count == 1)
            let failure = #expect(throws: Failure.self) {
                try ExportFilter(["or", ["in", "timestamp", names], ["eq", "timestamp", 0]], of: .click)
            }
            #expect(failure?.code == .invalid)
            #expect(failure?.message.contains("at most 1000 values") == true)
            // A value with others in it equals no column.
            #expect(throws: Failure.self) { try ExportFilter(["in", "timestamp", [[1, 2], 3]], of: .click) }
        }
    }

    @Test func aTimeInAFilterIsReadInAnySpelling() async throws {
        try await Self.run { exchange, scope, _ in
            for (text, count) in [
                ("2027-01-15T08:00:00Z", 0), ("2027-01-15 07:59:59+0000", 1), ("2027-01-15 08:59:59+0100", 1), ("2027-01-16", 0),
            ] {
                let filter = try ExportFilter(["gt", "timestamp_iso", .string(text)], of: .click)
                let lines = try await Self.lines(exchange, .click, ["id"], scope) { $0.filter = filter }
                #expect(lines.count == count, "\(text)")
            }
            let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
            let filter = try ExportFilter(["eq", "timestamp_iso", "2027-01-15 09:00:00"], of: .click, zone: zone)
            let same = try await Self.lines(exchange, .click, ["id"], scope) { $0.filter = filter }
            #expect(same.count == 1)
            #expect(throws: Failure.self) { try ExportFilter(["eq", "timestamp_iso", "noon"], of: .click) }
        }
    }

    @Test func whatIsConstantOrBareIsAsBranchHasIt() async throws {
        try await Self.run { exchange, scope, _ in
            let fields = ["origin", "hash_version", "user_data_sdk_version", "name"]
            try await Self.expect(["BRANCH,UNHASHED,0.24.2,INSTALL"], exchange, .install, fields, scope)
        }
    }

    @Test(arguments: [ExportTopic.click, .install, .contentEvent])
    func emptyListsAndObjectsAreThemselvesEmpty(topic: ExportTopic) async throws {
        try await Self.run { exchange, scope, _ in
            let lists = [
                "last_attributed_touch_data_tilde_tags", "last_attributed_touch_data_plus_via_features",
                "last_cta_view_data_tilde_tags",
                "user_data_past_cross_platform_ids", "user_data_prob_cross_platform_ids", "content_items",
            ]
            try await Self.expect(["[],[],[],[],[],[]"], exchange, topic, lists, scope)
            try await Self.expect(["{},{}"], exchange, topic, ["custom_data", "last_cta_view_data_custom_fields"], scope)
            let tags = try await Self.lines(exchange, topic, ["last_attributed_touch_data_tilde_tags"], scope) {
                $0.format = .ndjson
            }
            #expect(tags == ["{\"last_attributed_touch_data_tilde_tags\":[]}\n"])
        }
    }

    @Test(arguments: [ExportTopic.click, .install, .commerceEvent])
    func everyTouchNamesItsLinkWithoutWhatWasAppended(topic: ExportTopic) async throws {
        try await Self.run { exchange, scope, link in
            let url = "https://go.example.com" + link
            try await Self.expect([url], exchange, topic, ["last_attributed_touch_data_plus_url"], scope)
            let all = try ExportColumn.columns(named: ["all"], of: topic)
            #expect(all.map(\.name) == ExportColumn.all(of: topic).map(\.name) + ["last_attributed_touch_data_plus_url"])
            #expect(all.count == 143)
        }
    }

    @Test func aLongLinkIsItsQuery() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key
            let link = "/a/\(key.branchKey)?channel=print&data=e30%3D"
            _ = try await exchange.get(link)
            exchange.installation.clock.advance(by: .seconds(1))
            let lines = try await Self.lines(exchange, .click, ["last_attributed_touch_data_plus_url"], key.scope)
            #expect(lines == ["https://go.example.com" + link])
        }
    }

    @Test func severalFieldsAreNamedByOneWordBesideOthers() async throws {
        let names = try ExportColumn.columns(named: ["app_id", "native", "origin"], of: .click).map { $0.name }
        #expect(names.count == 18)
        #expect((names.first, names.last) == ("app_id", "origin"))
        let failure = #expect(throws: Failure.self) { try ExportColumn.columns(named: ["native", "id"], of: .click) }
        #expect(failure?.message == "The field id is named twice.")
    }

    @Test func idsAsTextAreNoNumbers() async throws {
        try await Self.run { exchange, scope, _ in
            let fields = [
                "id", "last_attributed_touch_data_tilde_id", "last_attributed_touch_data_plus_touch_id", "app_id", "timestamp",
            ]
            for topic in [ExportTopic.click, .install, .commerceEvent] {
                let plain = try #require(try await Self.lines(exchange, topic, fields, scope).first).split(separator: ",")
                let text = try await Self.lines(exchange, topic, fields, scope) { $0.ids = .text }
                let ids = plain.prefix(4).map { id in "id:\(id)" }
                #expect(text == ["\(ids.joined(separator: ",")),\(plain[4])"])
            }
        }
    }

    @Test func anInstallTellsANewUserAndAllThatFollowsAKnownOne() async throws {
        try await Self.run { exchange, scope, _ in
            let fields = ["existing_user", "seconds_from_install_to_event"]
            try await Self.expect([","], exchange, .click, fields, scope)
            try await Self.expect(["false,0"], exchange, .install, fields, scope)
            try await Self.expect(["true,30"], exchange, .commerceEvent, fields, scope)
            try await Self.expect(["true,60"], exchange, .contentEvent, fields, scope)
        }
    }

    @Test func secondsCountFromTheFirstInstallOfADevice() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key
            let phone: JSONObject = ["hardware_id": "PHONE-OF-ANN", "is_hardware_id_real": true]
            _ = try await exchange.install(key.branchKey, phone)
            exchange.installation.clock.advance(by: .seconds(3600))
            _ = try await exchange.install(key.branchKey, phone)
            // A device that was installed with another server: its token is unknown here.
            _ = try await exchange.post(
                "/v1/open", ["branch_key": .string(key.branchKey), "randomized_device_token": "123456789012345678", "os": "iOS"])
            exchange.installation.clock.advance(by: .seconds(1))
            let fields = ["existing_user", "seconds_from_install_to_event"]
            try await Self.expect(["true,3600"], exchange, .reinstall, fields, key.scope)
            try await Self.expect(["false,"], exchange, .open, fields, key.scope)
        }
    }

    @Test func progressIsThatOfTheRowsThereAre() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key
            let path = try await exchange.createLink(key.branchKey)
            for _ in 0..<3 {
                _ = try await exchange.get(path)
                exchange.installation.clock.advance(by: .seconds(86400))
            }
            // Long after the last row, and without a start date.
            exchange.installation.clock.advance(by: .seconds(400 * 86400))
            let request = ExportRequest(
                scope: key.scope, topic: .click, range: try ExportRange(from: nil, to: nil, now: exchange.installation.clock.now))
            var cursor = try await exchange.services.exports.begin(request)
            #expect((cursor.progress, cursor.reached) == (0, nil))
            while try await cursor.next() != nil {}
            #expect(cursor.progress == 1)
            #expect(cursor.reached?.iso8601 == "2027-01-17T08:00:00.000Z")
        }
    }
}
