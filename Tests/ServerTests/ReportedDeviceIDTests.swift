import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// Ids of devices, which anybody can report.
@Suite struct ReportedDeviceIDTests {
    private static let id = "38f1a2b0-0000-4000-8000-000000000001"

    @Test(arguments: ["/v1/open", "/v1/profile"]) func anIDThatAPageReportsIsNotStored(path: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let page: JSONObject = [
                "branch_key": .string(key), "sdk": "web2.84.0", "google_advertising_id": .string(Self.id),
                "hardware_id": .string(Self.id), "is_hardware_id_real": true, "identity": "ann",
            ]
            #expect(try await exchange.post(path, .object(page)).status == 200)
            let stored = "SELECT COUNT(*) FROM devices WHERE hardware_id IS NOT NULL OR advertising_id IS NOT NULL"
            #expect(try await exchange.rows(stored) == 0)
        }
    }

    /// The id of the person's phone is its advertising id; to the stranger's app it is a hardware id.
    @Test(arguments: [true, false]) func anErasureFindsThePersonBesideAStrangerWithTheSameID(isStrangerFirst: Bool) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            let person: JSONObject = ["os": "Android", "google_advertising_id": .string(Self.id)]
            let stranger: JSONObject = ["os": "Android", "hardware_id": .string(Self.id), "is_hardware_id_real": true]
            for phone in isStrangerFirst ? [stranger, person] : [person, stranger] { _ = try await exchange.install(key, phone) }
            #expect(try await exchange.rows("SELECT COUNT(*) FROM devices") == 2)

            try await Self.erase(isStrangerFirst ? Self.id : Self.id.uppercased(), of: app, exchange)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM devices") == 0)
        }
    }

    @Test func anErasureFindsThePersonBehindVeryManyOthersWithTheSameID() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            for _ in 0..<2 {
                _ = try await exchange.install(key, ["os": "Android", "google_advertising_id": .string(Self.id)])
            }
            // Browsers of before, of one user.
            try await exchange.change(
                """
                WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 1500)
                INSERT INTO devices
                    (id, app_id, mode, identity_id, is_browser, advertising_id, hardware_since, advertising_since, first_seen_at, last_seen_at)
                SELECT number, app_id, mode, identity_id, 1, advertising_id, 0, 0, 0, 0
                FROM (SELECT * FROM devices ORDER BY id LIMIT 1) AS one CROSS JOIN numbers
                """)
            try await Self.erase(Self.id, of: app, exchange)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM devices") == 0)
        }
    }

    @Test func aCopyOfTooManyPeopleWithLongNamesIsRefused() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            let name = String(repeating: "🍐", count: 120)
            for number in 0..<140 {
                let phone: JSONObject = ["os": "Android", "google_advertising_id": .string(Self.id)]
                let user: JSONObject = ["identity": .string("\(name)\(number)"), "hardware_id": .string("H-\(number)")]
                _ = try await exchange.install(app.key.branchKey, phone.merging(user), from: "192.0.2.\(number + 1)")
            }
            let failure = await #expect(throws: Failure.self) {
                try await exchange.services.subjectRequests.ask(
                    .access, about: [DataSubject(kind: .device, value: Self.id)], in: app.key.scope)
            }
            #expect(failure?.message.contains("names are longer than the 65536 bytes") == true, "\(String(describing: failure))")
            #expect(try await exchange.rows("SELECT COUNT(*) FROM subject_requests") == 0)
        }
    }

    @Test func anIDIsOfTheDeviceThatReportedItFirstOfThoseThatStillHaveIt() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            func install(_ name: String, advertisingID: String) async throws -> JSONObject {
                try await exchange.install(
                    app.key.branchKey,
                    [
                        "hardware_id": .string(name), "google_advertising_id": .string(advertisingID), "os": "Android",
                        "is_hardware_id_real": true,
                    ]
                ).object
            }
            func report(_ id: String, by phone: JSONObject) async throws {
                exchange.installation.clock.advance(by: .seconds(1))
                let open: JSONObject = [
                    "branch_key": .string(app.key.branchKey), "google_advertising_id": .string(id), "os": "Android",
                    "device_fingerprint_id": phone["device_fingerprint_id"]!, "identity_id": phone["identity_id"]!,
                ]
                #expect(try await exchange.post("/v1/open", .object(open)).status == 200)
            }
            func holder() async throws -> String? {
                try await exchange.installation.storage.read {
                    try $0.firstApp(advertisingID: Self.id, in: app.key.scope)?.description.hardwareID
                }
            }
            let (older, former) = (
                try await install("older", advertisingID: "other"), try await install("former", advertisingID: Self.id)
            )
            let second = try await install("second", advertisingID: "another")
            try await report(Self.id, by: second)
            try await report(Self.id, by: older)
            #expect(try await holder() == "former")
            try await report("third", by: former)
            #expect(try await holder() == "second")
            _ = try await install("new", advertisingID: Self.id)
            #expect(try await holder() == "second")
            try await report("fourth", by: second)
            #expect(try await holder() == "older")
        }
    }

    @Test func anEventThatAServerReportsByAdvertisingIDIsOfTheFirstAppWithIt() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            let page: JSONObject = ["branch_key": .string(key), "sdk": "web2.84.0", "google_advertising_id": .string(Self.id)]
            _ = try await exchange.post("/v1/open", .object(page))
            for _ in 0..<2 {
                _ = try await exchange.install(key, ["os": "Android", "google_advertising_id": .string(Self.id)])
            }
            let event: JSONObject = [
                "branch_key": .string(key), "branch_secret": .string(app.live.secret), "name": "PURCHASE",
                "user_data": ["os": "Android", "aaid": .string(Self.id)],
            ]
            #expect(try await exchange.post("/v2/event/standard", .object(event)).status == 200)
            let first = "SELECT COUNT(*) FROM events WHERE device_id = (SELECT MIN(id) FROM devices WHERE is_browser = 0)"
            #expect(try await exchange.rows(first) == 1)
        }
    }

    /// Erases the users of the devices that reported an id.
    private static func erase(_ id: String, of app: CreatedApp, _ exchange: Exchange) async throws {
        let requests = exchange.services.subjectRequests
        _ = try await requests.ask(.erasure, about: [DataSubject(kind: .device, value: id)], in: app.live.key.scope)
        try await requests.runAll()
    }
}
