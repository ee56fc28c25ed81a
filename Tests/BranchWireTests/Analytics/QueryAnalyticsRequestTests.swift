import BranchWire
import Linden
import Testing

@Suite struct QueryAnalyticsRequestTests {
    private static func request(_ changes: JSONObject) throws -> QueryAnalyticsRequest {
        let fields: JSONObject = [
            "start_date": "2027-01-01", "end_date": "2027-01-03", "data_source": "eo_click", "aggregation": "total_count",
            "dimensions": ["channel"],
        ]
        return try QueryAnalyticsRequest(
            RequestFields(fields.merging(changes)), page: "", scope: Scope(app: Identifier(rawValue: 1), mode: .live),
            settledUntil: Timestamp(milliseconds: 1_800_000_000_000))
    }

    @Test func aQueryNeedsNoGranularityAndNoDimension() throws {
        let query = try Self.request(["dimensions": []]).query
        #expect(query?.granularity == .all && query?.dimensions == [])
        #expect(throws: Failure.self) { try Self.request(["dimensions": .null]) }
    }

    @Test(arguments: ["yes", "2", "TRUE"])
    func aSwitchThatIsNoneIsRefused(value: String) {
        #expect(throws: Failure.self) { try Self.request(["zero_fill": .string(value)]) }
    }

    @Test func zerosAreFilledIfTheyAreToBe() throws {
        #expect(try Self.request(["zero_fill": true]).query?.fillsZeros == true)
        #expect(try Self.request(["zero_fill": "false"]).query?.fillsZeros == false)
        #expect(try Self.request([:]).query?.fillsZeros == false)
    }

    @Test(arguments: ["cost", "cost_in_local_currency", "cost-in-local-currency"])
    func costsMayBeAskedFor(name: String) throws {
        #expect(try Self.request(["aggregation": .string(name)]).query != nil)
    }

    @Test(arguments: ["webhook2", "skadnetwork_valid_messages", "eo_san_touch", "eo_click_blocked", "eo_impression", "eo_sms_sent"])
    func everyTopicOfBranchsExportsMayBeAskedAfter(topic: String) throws {
        _ = try DataReadyRequest(RequestFields(["app_id": "1", "date": "2027-01-05 01:00:00", "topic": .string(topic)]))
    }

    @Test func anotherTopicMayNot() {
        #expect(throws: Failure.self) {
            try DataReadyRequest(RequestFields(["app_id": "1", "date": "2027-01-05 01:00:00", "topic": "eo_sneeze"]))
        }
    }
}
