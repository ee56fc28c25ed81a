import BranchWire
import Linden
import LindenKernel
import LindenReporting
import Testing

@Suite struct CohortRequestTests {
    private static let required: JSONObject = [
        "start_date": "2027-01-01", "end_date": "2027-01-31", "data_source": "install_cohort", "measures": ["OPEN"],
        "granularity_band_count": 7,
    ]

    private static func report(_ changes: JSONObject = [:]) throws -> CohortReport {
        try CohortRequest(
            RequestFields(required.merging(changes)), limit: nil, scope: Scope(app: Identifier(rawValue: 1), mode: .live),
            settledUntil: Timestamp(milliseconds: 1_800_000_000_000)
        ).report
    }

    @Test func aReportOfSevenDaysIsTheRule() throws {
        let report = try Self.report()
        #expect((report.source, report.unit, report.bands) == (.install, .day, 7))
        #expect(!report.isCumulative && !report.isPerUser && !report.isUnique && report.names.isEmpty)
    }

    /// Airbyte sends what its forms hold, numbers as text among it, and Branch's MCP server the app beside.
    @Test func whatClientsSendIsUnderstood() throws {
        let report = try Self.report([
            "granularity_band_count": "7", "app_id": "1234", "organization_id": "5678", "cumulative": true, "per_user": "false",
            "enable_install_recalculation": false, "granularity": "week", "ordered": "descending",
        ])
        #expect((report.bands, report.unit, report.isCumulative, report.isPerUser) == (7, .week, true, false))
    }

    @Test(
        arguments: [
            ("OPEN", .opens), ("users", .users), ("Retention", .retention), ("ARPPU", .revenuePerPayer), ("LTV", .lifetimeValue),
            ("ARPU", .revenuePerUser), ("revenue", .revenue), ("Revenue", .revenue), ("cost", .cost), ("GROSS_PROFIT", .cost),
            ("ROI", .cost), ("ROAS", .cost), ("eCPA", .cost), ("PURCHASE", .event("PURCHASE")), ("cheered", .event("cheered")),
        ] as [(String, CohortMeasure.Kind)])
    func aMeasureIsOneOfBranchsOrAnEvent(name: String, kind: CohortMeasure.Kind) throws {
        #expect(try Self.report(["measures": [.string(name)]]).measures.map(\.kind) == [kind])
    }

    private static let labels = """
        campaign_id campaign channel feature stage tags advertising_partner_name secondary_publisher creative_name ad_id ad_set_id
        ad_set_name ad_name keyword journey_name view_name placement sub_site_name customer_secondary_publisher customer_placement
        customer_sub_site_name customer_campaign customer_ad_set_name customer_ad_name customer_keyword agency_id agency
        """
    private static let devices = """
        os environment platform country_code has_app has_clicked_email has_clicked_ad device_type brand geo_country_en model
        geo_region_en
        """

    private static func names(_ text: String, _ prefix: String) -> [String] {
        text.split { " \n".contains($0) }.map { prefix + $0 }
    }

    /// Every dimension that Branch's own client offers.
    @Test(arguments: ["install", "reengagement"])
    func everyDimensionOfBranchsClientMayBeAskedFor(kind: String) throws {
        let prefix = kind + "_activity_"
        let names =
            Self.names(Self.labels, prefix + "touch_data_tilde_") + Self.names(Self.devices, prefix + "data_")
            + Self.names("attributed event_name touch_type timezone_adjusted_day touch_data_dollar_3p", prefix)
            + Self.names("referring_domain via_features web_format", prefix + "touch_data_plus_")
            + Self.names("platform environment geo_country_code os has_app brand device_type model", "user_data_")
            + Self.names("standard_events_completed custom_events_completed has_clicked_ad has_clicked_email", "user_data_")
            + ["app_id", "customer_event_alias", prefix + "data_tilde_advertising_partner_name"]
        for name in names {
            let report = try Self.report(["dimensions": [.string(name)], "data_source": .string(kind + "_cohort")])
            #expect(report.names == [name])
            if !name.hasSuffix("timezone_adjusted_day") { _ = try Self.report(["filters": .object(["!" + name: ["x"]])]) }
        }
    }

    @Test(
        arguments: [
            (["measures": []], "1 to 3"), (["measures": ["OPEN", "users", "LTV", "ARPU"]], "1 to 3"),
            (["measures": [""]], "name of an event"),
            (["measures": .null], "list of strings"), (["granularity_band_count": .null], "is missing"),
            (["granularity_band_count": 0], "from 1 to 366"), (["granularity_band_count": 367], "from 1 to 366"),
            (["granularity": "hour"], "day, week, month"), (["data_source": "eo_install"], "install_cohort, reengagement_cohort"),
            (["dimensions": ["install_activity_planet"]], "is not a dimension"),
            (["dimensions": ["channel", "channel"]], "each once"),
            (["ordered_by": "channel"], "ordered_by must be"), (["cumulative": "yes"], "cumulative must be true or false"),
            (["filters": ["install_activity_timezone_adjusted_day": ["2027-01-01"]]], "is not a filter"),
            (["colour": "red"], "not allowed here"),
            (["end_date": "2027-05-01"], "at most 90 days"), (["ordered": "up"], "ascending or descending"),
        ] as [(JSONObject, String)])
    func whatMakesNoSenseIsRefused(changes: JSONObject, complaint: String) {
        let failure = #expect(throws: Failure.self) { try Self.report(changes) }
        #expect(failure?.message.contains(complaint) == true, "\(failure?.message ?? "nothing")")
    }
}
