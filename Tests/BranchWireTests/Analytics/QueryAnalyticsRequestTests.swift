import BranchWire
import Linden
import LindenKernel
import Testing

@testable import LindenReporting

@Suite struct QueryAnalyticsRequestTests {
    private static func request(_ changes: JSONObject, page: String = "") throws -> QueryAnalyticsRequest {
        let fields: JSONObject = [
            "start_date": "2027-01-01", "end_date": "2027-01-03", "data_source": "eo_click", "aggregation": "total_count",
            "dimensions": ["channel"],
        ]
        return try QueryAnalyticsRequest(
            RequestFields(fields.merging(changes)), page: page, scope: Scope(app: Identifier(rawValue: 1), mode: .live),
            settledUntil: Timestamp(milliseconds: 1_800_000_000_000))
    }

    @Test func aQueryNeedsNoGranularityAndNoDimension() throws {
        let query = try Self.request(["dimensions": []]).query
        #expect(query.granularity == .all && query.dimensions == [])
        #expect(throws: Failure.self) { try Self.request(["dimensions": .null]) }
    }

    @Test(arguments: [0, 1, 3_600_000, 1_735_689_599_999, 1_800_000_000_001, -1])
    func aPageOfNoQueryIsRefused(id: Int64) throws {
        #expect(throws: Failure.self) { try Self.request([:], page: "query_id=\(id)") }
        #expect(throws: Never.self) { try Self.request([:], page: "query_id=1735689600000") }
    }

    @Test(arguments: ["yes", "2", "TRUE"])
    func aSwitchThatIsNoneIsRefused(value: String) {
        #expect(throws: Failure.self) { try Self.request(["zero_fill": .string(value)]) }
    }

    @Test func zerosAreFilledIfTheyAreToBe() throws {
        #expect(try Self.request(["zero_fill": true]).query.fillsZeros == true)
        #expect(try Self.request(["zero_fill": "false"]).query.fillsZeros == false)
        #expect(try Self.request([:]).query.fillsZeros == false)
    }

    @Test(arguments: ["cost", "cost_in_local_currency", "cost-in-local-currency"])
    func costsMayBeAskedFor(name: String) throws {
        #expect(throws: Never.self) { try Self.request(["aggregation": .string(name)]) }
    }

    @Test(arguments: [
        ("2027-01-01", "2027-01-03", "2027-01-01T00:00:00.000+00:00", 2 * 86400),
        ("2027-01-01", "2027-01-01", "2027-01-01T00:00:00.000+00:00", 86400),
        ("2026-12-27T00:00:00-08:00", "2027-01-02T23:59:59-08:00", "2026-12-27T00:00:00.000-08:00", 7 * 86400),
        ("2027-01-01T00:00:00.000Z", "2027-01-01T23:59:59.999Z", "2027-01-01T00:00:00.000+00:00", 86400),
        ("2027-01-01 00:00:00+05:30", "2027-01-02", "2027-01-01T00:00:00.000+05:30", 86400),
        ("2027-01-01", "2027-01-01T18:30:00+0100", "2027-01-01T00:00:00.000+01:00", 66600),
        ("2027-01-01T06:00:00", "2027-01-01T07:00:58", "2027-01-01T06:00:00.000+00:00", 3658),
    ])
    func aSpanIsOfDatesOrOfTimesInAZone(start: String, end: String, text: String, seconds: Int64) throws {
        let span = try Self.request(["start_date": .string(start), "end_date": .string(end)]).query.span
        #expect(span.startText == text)
        #expect(span.end.milliseconds - span.start.milliseconds == seconds * 1000)
    }

    /// In Berlin clocks are put back on 2026-10-25.
    @Test func sevenDaysMayHaveTheHourThatTheEndOfDaylightSavingAdds() throws {
        let offsets = try Self.request([
            "start_date": "2026-10-22T00:00:00+02:00", "end_date": "2026-10-28T23:59:59+01:00", "granularity": "day",
        ]).query
        #expect(offsets.span.end.milliseconds - offsets.span.start.milliseconds == (7 * 86400 + 3600) * 1000)

        let zone = try Self.request([
            "start_date": "2026-10-22", "end_date": "2026-10-29", "timezone": "Europe/Berlin", "granularity": "day",
        ]).query
        #expect(zone.span.start == offsets.span.start && zone.span.end == offsets.span.end)
    }

    /// Named as elsewhere; as with dates, the end does not count unless it is the start.
    @Test(arguments: [
        ("yesterday", "today", "2027-01-14", "2027-01-15"), ("yesterday", "yesterday", "2027-01-14", "2027-01-15"),
        ("last-month", "last-month", "2026-12-01", "2027-01-01"), ("7d", "today", "2027-01-09", "2027-01-15"),
    ])
    func aPeriodMayBeNamed(start: String, end: String, from: String, to: String) throws {
        let span = try? Self.request(["start_date": .string(start), "end_date": .string(end)]).query.span
        // A month is longer than a query may be.
        #expect(start == "last-month" ? span == nil : span?.start == Timestamp(day: from) && span?.end == Timestamp(day: to))
    }

    @Test func nullByItselfFiltersLikeAListOfIt() throws {
        let filters = try Self.request(["filters": ["!campaign": .null]]).query.filters
        #expect(filters.count == 1 && filters[0].isNegated)
        #expect(try filters.map(\.values) == Self.request(["filters": ["!campaign": [.null]]]).query.filters.map(\.values))
    }

    @Test func daysFollowTheRulesOfAZoneThatIsNamed() throws {
        let query = try Self.request([
            "start_date": "2026-10-24", "end_date": "2026-10-27", "timezone": "Europe/Berlin", "granularity": "day",
        ]).query
        #expect(
            query.span.periods(.day).map(\.startText) == [
                "2026-10-24T00:00:00.000+02:00", "2026-10-25T00:00:00.000+02:00", "2026-10-26T00:00:00.000+01:00",
            ])
        #expect(throws: Failure.self) { try Self.request(["timezone": "Mars"]) }
    }

    @Test(arguments: [
        ("2027-01-02", "2027-01-01", "end_date must be after start_date"),
        ("2027-01-01T06:00:00Z", "2027-01-01T06:00:00Z", "end_date must be after start_date"),
        ("2027-01-01", "2027-01-09", "at most 7 days"), ("2027-02-30", "2027-03-01", "start_date must be a date"),
        ("2027-01-01T00:00:00-99:00", "2027-01-02", "start_date must be a date"),
    ])
    func anImpossibleSpanIsRefused(start: String, end: String, complaint: String) {
        let failure = #expect(throws: Failure.self) {
            try Self.request(["start_date": .string(start), "end_date": .string(end)])
        }
        #expect(failure?.message.contains(complaint) == true)
    }

    @Test func daysOfAnotherZoneArePeriods() throws {
        let query = try Self.request([
            "start_date": "2026-12-31T00:00:00-08:00", "end_date": "2027-01-01T23:59:59-08:00", "granularity": "day",
        ]).query
        #expect(
            query.span.periods(.day).map(\.startText) == ["2026-12-31T00:00:00.000-08:00", "2027-01-01T00:00:00.000-08:00"])
    }

    @Test(
        arguments: [
            ("timestamp", []), ("user_data_os", [.os]), ("user_data_platform", [.userPlatform]), ("attributed", [.attributed]),
            ("from_desktop", [.fromDesktop]), ("last_attributed_touch_data_tilde_id", [.link]),
            ("last_attributed_touch_data_tilde_stage", [.touch("~stage")]),
            ("last_attributed_touch_data_plus_current_feature", [.touch("+current_feature")]),
            ("plus_via_features", [.touch("+via_features")]), ("tilde_channel", [.channel]),
            ("days_from_last_attributed_touch_to_event", [.column("days_from_last_attributed_touch_to_event")]),
            ("last_cta_view_data_tilde_campaign", [.column("last_cta_view_data_tilde_campaign")]),
        ] as [(String, [LindenReporting.Dimension])])
    func branchsNamesAreDimensions(name: String, dimensions: [LindenReporting.Dimension]) throws {
        #expect(try Self.request(["dimensions": [.string(name)]]).query.dimensions == dimensions)
        #expect(try Self.request(["dimensions": .string(name)]).query.dimensions == dimensions)
    }

    @Test(arguments: ["planet", "user_data_planet", "last_attributed_touch_data_tilde_planet", "days", ""])
    func anotherNameIsRefused(name: String) {
        let failure = #expect(throws: Failure.self) { try Self.request(["dimensions": [.string(name)]]) }
        #expect(failure?.message.contains("The dimensions are platform, country, channel") == true)
    }

    /// Otherwise the recipes would be answered from rows, which an erasure removes.
    @Test func theFiltersOfEveryRecipeLeaveItToTheCounters() throws {
        let filters: JSONObject = [
            "!user_data_platform": ["ROBOT"], "!days_from_last_attributed_touch_to_event": [.null],
            "!last_attributed_touch_data_plus_current_feature": ["MOBILE_DEEPVIEWS", "DESKTOP_DEEPVIEWS"],
        ]
        let query = try Self.request(["dimensions": ["timestamp"], "filters": .object(filters)]).query
        #expect(query.filters.map(\.dimension) == [.attributed])
        #expect(query.filters[0].values == ["false"] && query.filters[0].isNegated)
    }

    @Test func daysAreListedByTimeWhereTimeIsAskedFor() throws {
        #expect(try Self.request(["ordered_by": "timestamp"]).query.isLatestFirst)
        #expect(try !Self.request(["ordered_by": "timestamp", "ordered": "ascending"]).query.isLatestFirst)
        #expect(try !Self.request(["ordered_by": "total_count"]).query.isLatestFirst)
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

    @Test func aResponseThatIsTooLongIsRefused() throws {
        let request = try Self.request([:])
        let rows = (0..<1000).map { number in
            AnalyticsAnswer.Row(period: request.query.span, values: [String(repeating: "\u{1}", count: 1000)], figure: number)
        }
        let answer = AnalyticsAnswer(rows: rows, totalRows: 1000, hasMore: false, isEstimated: false, missing: MissingRows())
        let baseURL = try BaseURL("https://go.example.com")
        #expect(throws: Failure.self) { try request.response(answer, baseURL: baseURL, upTo: 5_000_000) }
        #expect(try request.response(answer, baseURL: baseURL, upTo: 7_000_000).count > 6_000_000)
    }
}
