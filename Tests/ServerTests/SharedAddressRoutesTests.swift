import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import Testing

/// Several people, or one person repeatedly, behind one address.
@Suite struct SharedAddressRoutesTests {
    private static let isMatched = "+clicked_branch_link"

    private static func cookies(_ answer: Exchange.Answer) -> HTTPFields {
        [.cookie: answer.headers[values: .setCookie].map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")]
    }

    /// What a click appends is compared by a short hash that does not depend on the order of its items, however long the query is.
    @Test func whatAClickAppendedIsComparedByAShortHash() async throws {
        try await Exchange.run { exchange in
            let path = try await exchange.createLink(try await exchange.installation.createApp().live.key.branchKey)
            let long = String(repeating: "a&", count: 2000)
            for query in ["b=2&a=1", "a=1&b=2", long] { _ = try await exchange.get(path + "?" + query) }
            _ = try await exchange.get(path)
            let click = try await exchange.lastClick()
            let fingerprint = try #require(click.fingerprint)
            let open = try await exchange.services.storage.read { try $0.pendingClicks(fingerprint, limit: 8) }
            #expect(open.map { $0.appended?.utf8.count } == [nil, 32, 32, 32])
            #expect(Set(open.map(\.appended)).count == 3)
        }
    }

    @Test func manyClicksOfOneVisitorHideNoOthersClick() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.get(try await exchange.createLink(key, ["data": ["whose": "ann"]]))
            let bobs = try await exchange.createLink(key, ["data": ["whose": "bob"]])
            let first = try await exchange.get(bobs)
            for _ in 0..<20 { _ = try await exchange.get(bobs, headers: Self.cookies(first)) }
            #expect(try await exchange.install(key).data[Self.isMatched] == false)
        }
    }

    @Test func withMoreClicksThanCanBeComparedNoneIsMatched() async throws {
        try await Exchange.run { exchange in
            // Test keys, for which address density does not count.
            let key = try await exchange.installation.createApp().test.key.branchKey
            let path = try await exchange.createLink(key)
            for _ in 0..<17 { _ = try await exchange.get(path) }
            #expect(try await exchange.install(key).data[Self.isMatched] == true)
            for link in 0..<17 {
                _ = try await exchange.get(try await exchange.createLink(key, ["data": ["n": .integer(Int64(link))]]))
            }
            #expect(try await exchange.install(key).data[Self.isMatched] == false)
        }
    }

    @Test func oneLinkClickedWithWhatNetworksAppendIsNoTie() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key)
            let first = try await exchange.get(path)
            for query in ["?fbclid=1", "?fbclid=2", "?has_app=no"] {
                _ = try await exchange.get(path + query, headers: Self.cookies(first))
            }
            #expect(try await exchange.install(key).data[Self.isMatched] == true)
            for query in ["?fruit=pear", "?fruit=apple"] { _ = try await exchange.get(path + query, from: "203.0.113.9") }
            #expect(try await exchange.install(key, from: "203.0.113.9").data[Self.isMatched] == false)
        }
    }

    @Test func aDeviceIsNoneOfTheOthersAtItsOwnAddress() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let device: JSONObject = ["ios_vendor_id": "V-1"]
            let first = try await exchange.install(key, device)
            _ = try await exchange.get(try await exchange.createLink(key))
            let again = try await exchange.install(
                key, device.merging(["device_fingerprint_id": first.object["device_fingerprint_id"]!]))
            #expect(try again.data[Self.isMatched] == true)
            let session = try #require(
                exchange.services.publicIDs.id(for: again.object["session_id"]?.string ?? "", of: Session.self))
            let kept = try await exchange.services.storage.read { try $0.session(session) }
            #expect(kept?.evidence?.fingerprintSignals?.density == Evidence.AddressDensity(alike: 0))
        }
    }

    @Test func aClickThatNamedItsDeviceIsGivenOnce() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$aaid_source": "network"]])
            _ = try await exchange.get(path + "?%24aaid=AD-1-0001", userAgent: UserAgents.android, from: "203.0.113.8")
            let phone: JSONObject = [
                "branch_key": .string(key), "os": "Android", "os_version": 34, "google_advertising_id": "AD-1-0001",
            ]
            let install = try await exchange.post("/v1/install", .object(phone))
            #expect(try install.data["+match_guaranteed"] == true)
            for _ in 0..<2 {
                let open = try await exchange.post(
                    "/v1/open", .object(phone.merging(["device_fingerprint_id": install.object["device_fingerprint_id"]!])))
                #expect(try open.data[Self.isMatched] == false)
            }
        }
    }

    @Test func theFirstWordOfAPageCountsAndOnlyAWordOfItsOwnTime() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let page = try await exchange.get(try await exchange.createLink(key), userAgent: UserAgents.android)
            let click = try #require(page.linkClickID)
            for body in [
                #"{}"#, #"{"platform_version":"x"}"#, #"{"screen_width":412,"screen_height":915,"platform_version":"14.0.0"}"#,
                #"{"screen_width":300,"screen_height":600}"#,
            ] {
                let answer = try await exchange.send(.post, "/c/\(click)/device", body: Array(body.utf8))
                #expect(answer.status == 204)
            }
            #expect(try await exchange.pendingClicks() == ["412x915 14"])

            let late = try #require(try await exchange.get(try await exchange.createLink(key)).linkClickID)
            exchange.installation.clock.advance(by: .seconds(61))
            _ = try await exchange.send(.post, "/c/\(late)/device", body: Array(#"{"screen_width":390,"screen_height":844}"#.utf8))
            #expect(try await exchange.pendingClicks() == ["412x915 14", "- -"])
        }
    }

    @Test func whatPagesReportCannotSwellWhatIsKeptOfAnInstall() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for number in 1...20 {
                let path = try await exchange.createLink(key, ["data": ["n": .integer(Int64(number))]])
                let click = try #require(try await exchange.get(path, userAgent: UserAgents.android).linkClickID)
                let model = String(repeating: "\u{1}", count: 10) + String(repeating: "\"", count: 245)
                _ = try await exchange.post("/c/\(click)/device", ["model": .string(model)])
            }
            let phone: JSONObject = [
                "branch_key": .string(key), "os": "Android", "os_version": 34,
                "model": .string(String(repeating: "\u{1}", count: 255)),
            ]
            #expect(try await exchange.post("/v1/install", .object(phone)).status == 200)
            let bytes = try await exchange.rows("SELECT LENGTH(evidence) + LENGTH(explanation) FROM sessions")
            #expect(bytes > 1000 && bytes < 24_000, "85,000 once")
        }
    }

    /// The data of a link that asks not to be recorded are delivered nevertheless.
    @Test func ofAVisitThatIsNotToBeRecordedNothingIsKeptButWhatTheDataIsDeliveredBy() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$do_not_process": true, "fruit": "pear"]])
            let page = try await exchange.get(
                path + "?%24aaid=AD-1-0001", userAgent: UserAgents.android, headers: [.acceptLanguage: "de"])
            #expect(!page.body.contains("data-report"))
            #expect(
                try await exchange.rows(
                    "SELECT COUNT(*) FROM clicks WHERE match_seconds > 0 AND model_id IS NULL AND language IS NULL") == 1)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM clicks WHERE browser_id IS NOT NULL") == 0)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM device_clicks") == 0)
            let install = try await exchange.post(
                "/v1/install", ["branch_key": .string(key), "os": "Android", "os_version": 34])
            #expect(try install.data["fruit"] == "pear")
        }
    }
}

extension Exchange {
    fileprivate func pendingClicks() async throws -> [String] {
        try await services.storage.write { transaction in
            try (transaction as! SQLTransaction).connection.query(
                "SELECT COALESCE(screen, '-') || ' ' || COALESCE(reported_os_version, '-') FROM pending_clicks ORDER BY click_id"
            ) { $0.text(0) }
        }
    }

    fileprivate func rows(_ sql: StaticString) async throws -> Int64 {
        try await services.storage.write { transaction in
            try (transaction as! SQLTransaction).connection.query("\(raw: sql)") { $0.integer(0) }[0]
        }
    }
}
