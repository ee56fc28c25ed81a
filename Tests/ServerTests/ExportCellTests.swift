import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// The values of the cells of exports.
@Suite struct ExportCellTests {
    /// Generates a click with an install and events, by known and unknown devices.
    private static func run(_ body: @escaping @Sendable (Exchange, Scope) async throws -> Void) async throws {
        try await Exchange.run(privacy: AddressPrivacy(.raw)) { exchange in
            let key = try await exchange.installation.createApp().live.key
            let path = try await exchange.createLink(key.branchKey, ["channel": "mail", "campaign": "Pears", "data": ["kind": 7]])
            let click = try #require(try await exchange.get(path, headers: [.referer: "https://mail.example/"]).linkClickID)
            let install = try await exchange.install(
                key.branchKey, ["link_identifier": .string(click), "hardware_id": "PHONE-OF-ANN", "is_hardware_id_real": true])
            let tokens = install.object.filter { name, _ in name.hasPrefix("randomized_") }
            let reported: JSONObject = [
                "os": "Android", "brand": "Reported", "model": "Reported 1", "idfa": "REPORTED-IDFA", "aaid": "REPORTED-AAID",
                "idfv": "REPORTED-IDFV",
                "android_id": "REPORTED-ID", "developer_identity": "ann", "ip": "192.0.2.9", "country": "DE",
                "limit_ad_tracking": true, "opted_in_status": "denied", "cpp_level": "REDUCED",
            ]
            let price: JSONObject = [
                "revenue": "12.50", "currency": "EUR", "transaction_id": "t-1", "exchange_rate": 7,
                "local_currency_exchange_rate": 7,
            ]
            let orders: [(name: String, user: JSONObject, price: JSONObject)] = [
                ("PURCHASE", tokens.merging(reported), price), ("PURCHASE", reported, price.merging(["currency": "PEARS"])),
                ("VIEW_ITEM", ["developer_identity": "bob"], [:]),
                ("LOGIN", ["idfv": "PHONE-OF-ANN", "idfa": "REPORTED-IDFA"], [:]),
            ]
            for (name, user, price) in orders {
                let answer = try await exchange.post(
                    "/v2/event/standard",
                    [
                        "branch_key": .string(key.branchKey), "name": .string(name), "user_data": .object(user),
                        "event_data": .object(price), "custom_data": ["plan": "gold"],
                    ])
                #expect(answer.status == 200)
            }
            _ = try await exchange.post("/c/" + click, ["branch_key": .string(key.branchKey), "phone": "+15550100001"])
            exchange.installation.clock.advance(by: .seconds(2))
            try await body(exchange, key.scope)
        }
    }

    private static func rows(
        _ exchange: Exchange, _ topic: ExportTopic, _ columns: [ExportColumn], _ scope: Scope
    ) async throws -> [JSONObject] {
        var request = try request(exchange, topic, columns, scope)
        request.format = .ndjson
        return try await text(exchange, request).split(separator: "\n").map { try #require(try JSON.parse(String($0)).object) }
    }

    private static func request(
        _ exchange: Exchange, _ topic: ExportTopic, _ columns: [ExportColumn], _ scope: Scope
    ) throws -> ExportRequest {
        var request = ExportRequest(
            scope: scope, topic: topic, range: try ExportRange(from: nil, to: nil, now: exchange.installation.clock.now))
        request.columns = columns
        return request
    }

    private static func text(
        _ exchange: Exchange, _ request: ExportRequest, page: ExportPageLimit = ExportPageLimit()
    ) async throws -> String {
        var cursor = try await exchange.services.exports.begin(request, page: page)
        var bytes: [UInt8] = []
        while let more = try await cursor.next() { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Pages end by bytes as well as by rows, and a page has at least one row.
    @Test(arguments: ExportTopic.allCases, [ExportPageLimit(bytes: 1), ExportPageLimit(rows: 1), ExportPageLimit(bytes: 3000)])
    func anExportIsTheSameHoweverSmallItsPagesAre(topic: ExportTopic, page: ExportPageLimit) async throws {
        try await Self.run { exchange, scope in
            let request = try Self.request(exchange, topic, ExportColumn.known(of: topic), scope)
            let expected = try await Self.text(exchange, request)
            #expect(try await Self.text(exchange, request, page: page) == expected)
            var limited = request
            limited.limit = 1
            #expect(try await Self.text(exchange, limited, page: page) == Self.text(exchange, limited))
        }
    }

    @Test(arguments: ExportTopic.allCases)
    func aCellIsTheSameWhicheverOtherColumnsAreAskedFor(topic: ExportTopic) async throws {
        try await Self.run { exchange, scope in
            let columns = ExportColumn.known(of: topic)
            let all = try await Self.rows(exchange, topic, columns, scope)
            let isRecorded =
                switch topic.source {
                case .sessions(let kinds): kinds.contains(.install)
                case .nothing: false
                default: ![.customEvent, .dismissal, .pageview].contains(topic)
                }
            #expect(all.isEmpty == !isRecorded)
            for column in columns {
                let alone = try await Self.rows(exchange, topic, [column], scope).map { $0[column.name] }
                let among = all.map { $0[column.name] }
                #expect(alone == among, "\(column.name)")
            }
        }
    }

    @Test func anInstallTellsWhetherItsMatchIsCertainAlsoByItself() async throws {
        try await Self.run { exchange, scope in
            let columns = try ExportColumn.columns(named: ["match_guaranteed"], of: .install)
            let rows = try await Self.rows(exchange, .install, columns, scope)
            #expect(rows.map { $0["match_guaranteed"] } == [true])
        }
    }

    /// A line end in a number would end the row.
    @Test func revenueInWhiteSpaceIsANumberInOneRow() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key
            for revenue in ["12.50\r\n", "\n\n7", "\u{FEFF}4", "-0"] {
                let answer = try await exchange.post(
                    "/v2/event/standard",
                    ["branch_key": .string(key.branchKey), "name": "PURCHASE", "event_data": ["revenue": .string(revenue)]])
                #expect(answer.status == 200)
            }
            exchange.installation.clock.advance(by: .seconds(2))
            let columns = try ExportColumn.columns(named: ["event_data_revenue", "name"], of: .commerceEvent)
            let rows = try await Self.rows(exchange, .commerceEvent, columns, key.scope)
            #expect(rows.map { $0["event_data_revenue"]?.text } == ["12.50", "7", "4", "-0"])
            let table = try await Self.text(exchange, Self.request(exchange, .commerceEvent, columns, key.scope))
            let lines = table.split(whereSeparator: \.isNewline)
            #expect(lines.count == 5 && lines.dropFirst().allSatisfy { $0.contains("PURCHASE") }, "\(table)")
        }
    }

    @Test func whatIsStoredIsExportedAndNotWhatWasReported() async throws {
        try await Self.run { exchange, scope in
            let known = try await Self.rows(exchange, .commerceEvent, ExportColumn.known(of: .commerceEvent), scope)
            let cells: [(name: String, values: [JSON])] = [
                ("event_data_currency", ["EUR", .null]), ("event_data_transaction_id", ["t-1", "t-1"]),
                ("user_data_aaid", [.null, "REPORTED-AAID"]), ("user_data_idfa", ["REPORTED-IDFA", .null]),
                ("event_data_exchange_rate", [.null, .null]), ("event_data_local_currency_exchange_rate", [.null, .null]),
                ("app_name", ["Orchard", "Orchard"]), ("user_data_opted_in_status", ["denied", "denied"]),
                ("user_data_cpp_level", ["REDUCED", "REDUCED"]),
            ]
            for (name, values) in cells {
                let found = known.map { $0[name] ?? .null }
                #expect(found == values, "\(name)")
            }
        }
    }

    @Test func aTextMessageIsInItsOwnTopicAlone() async throws {
        try await Self.run { exchange, scope in
            let columns = try ExportColumn.columns(named: ["name"], of: .smsSent)
            let rows = try await Self.rows(exchange, .smsSent, columns, scope)
            #expect(rows.map { $0["name"] } == ["SMS_SENT"])
            let others = try await Self.rows(exchange, .customEvent, columns, scope)
            #expect(others.isEmpty)
        }
    }

    @Test func anEmptyCellByItselfIsALineThatReadersSee() async throws {
        try await Self.run { exchange, scope in
            for name in ["user_data_language", "user_data_oaid", "last_attributed_touch_data_tilde_stage"] {
                let columns = try ExportColumn.columns(named: [name], of: .click)
                let text = try await Self.text(exchange, try Self.request(exchange, .click, columns, scope))
                #expect(text == name + "\r\n\"\"\r\n")
            }
        }
    }

    private static let filters: [(filter: JSON, names: [String])] = [
        (["eq", "name", "LOGIN"], ["LOGIN"]), (["ne", "name", "LOGIN"], ["install", "PURCHASE", "PURCHASE", "VIEW_ITEM", "sms"]),
        (["not", ["in", "name", ["LOGIN", "sms", "install"]]], ["PURCHASE", "PURCHASE", "VIEW_ITEM"]),
        (["in", "name", "LOGIN", "sms"], ["LOGIN", "sms"]),
        (
            ["or", ["eq", "name", "LOGIN"], ["and", ["eq", "developer_identity", "bob"], ["gt", "name", "A"]]],
            ["VIEW_ITEM", "LOGIN"]
        ),
        (["gt", "name", "PURCHASE"], ["install", "VIEW_ITEM", "sms"]), (["lt", "name", "PURCHASE"], ["LOGIN"]),
        (["gte", "name", "PURCHASE"], ["install", "PURCHASE", "PURCHASE", "VIEW_ITEM", "sms"]),
        (["lte", "name", "PURCHASE"], ["PURCHASE", "PURCHASE", "LOGIN"]),
        (["and", ["gte", "timestamp", "2027-01-15"], ["lt", "timestamp", "2027-01-15T08:00:00"]], []),
    ]

    @Test(arguments: filters)
    func aFilterLeavesWhatItsWordsSay(filter: JSON, names: [String]) async throws {
        try await Self.run { exchange, scope in
            var request = try Self.request(exchange, .events, try ExportColumn.columns(named: ["name"], of: .events), scope)
            request.filter = try ExportFilter(filter, of: .events)
            let lines = try await Self.text(exchange, request).split(separator: "\r\n").map { String($0) }
            #expect(lines == ["name"] + names)
        }
    }
}
