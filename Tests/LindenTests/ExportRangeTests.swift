import Foundation
import LindenKernel
import LindenReporting
import Testing

@Suite struct ExportRangeTests {
    private let now = Timestamp(milliseconds: 1_800_000_000_000)

    @Test func theLastDayOfARangeBelongsToItWithAllOfIt() throws {
        let range = try ExportRange(from: "2027-01-14", to: "2027-01-14", now: now)
        #expect(range.from.iso8601 == "2027-01-14T00:00:00.000Z")
        #expect(range.to.iso8601 == "2027-01-15T00:00:00.000Z")
    }

    @Test func daysAndTimesWithoutAZoneAreThoseOfTheZoneAskedFor() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        #expect(try ExportRange.moment("2027-03-28", isEnd: false, zone: zone).iso8601 == "2027-03-27T23:00:00.000Z")
        #expect(try ExportRange.moment("2027-03-28", isEnd: true, zone: zone).iso8601 == "2027-03-28T22:00:00.000Z")
        #expect(try ExportRange.moment("2027-01-15T09:00:00", isEnd: false, zone: zone).iso8601 == "2027-01-15T08:00:00.000Z")
        #expect(try ExportRange.moment("2027-01-15T09:00:00Z", isEnd: false, zone: zone).iso8601 == "2027-01-15T09:00:00.000Z")
    }

    private static let spellings = [
        ("2026-11-21T01:00:00Z", "2026-11-21T01:00:00.000Z"), ("2026-11-21T01:00:00.25Z", "2026-11-21T01:00:00.250Z"),
        ("2026-11-21 01:00:00+05:00", "2026-11-20T20:00:00.000Z"), ("2026-11-21T01:00:00-0330", "2026-11-21T04:30:00.000Z"),
        ("2026-11-21T01:00:00+05", "2026-11-20T20:00:00.000Z"), ("2026-11-21 01:00", "2026-11-21T01:00:00.000Z"),
        ("2026-12-31T23:59:60Z", "2027-01-01T00:00:00.000Z"), ("2026-11-21T01:00:00.123456789Z", "2026-11-21T01:00:00.123Z"),
    ]

    @Test(arguments: spellings)
    func aTimeIsReadToItsEnd(text: String, time: String) throws {
        #expect(try ExportRange.moment(text, isEnd: false).iso8601 == time)
    }

    @Test(arguments: ["2026-11-21T01:00:00", "2026-11-21T01:00:00Z!", "2026-11-21"])
    func aTimeWithoutItsZoneIsNoneWhereNoneIsGiven(text: String) {
        #expect(Timestamp(iso8601: text) == nil)
    }

    @Test(arguments: [
        "2027-02-30", "2027-1-5", "yesterday", "2027-01-15T25:00:00Z", "", "2026-11-21 00:00:00 junk", "2026-11-21T00:00:00Zjunk",
        "2026-11-21 12:00:00 PM", "2026-11-21T00:00:00+5", "2026-11-21T00:00:00+05:", "2026-11-21T00:00:00 05:00",
        "2026-11-21T00:00:00.Z", "2026-11-21T00:60:00Z", "2026-02-30T00:00:00Z", " 2026-11-21", "2026-11-21T", "٢٠٢٦-11-21",
    ])
    func whatIsNoTimeIsRefused(text: String) {
        #expect(throws: Failure.self) { try ExportRange.moment(text, isEnd: false) }
    }

    @Test func anExportUpToAfterTheLastIdIsOfAll() throws {
        let range = try ExportRange(from: "2026-01-01", to: "2999-01-01", now: now)
        #expect(IDGenerator.first(at: range.to) > IDGenerator.first(at: Timestamp(milliseconds: 3_900_000_000_000)))
        #expect(IDGenerator.first(at: range.to) == IDGenerator.first(at: IDGenerator.time(of: .max)))
    }

    @Test func aReversedRangeIsRefused() {
        let failure = #expect(throws: Failure.self) { try ExportRange(from: "2027-01-15", to: "2027-01-14", now: now) }
        #expect(failure?.message.contains("before") == true)
    }

    @Test func theColumnsAreBranchsInTheirOrder() {
        let names = """
            id name timestamp timestamp_iso origin last_attributed_touch_type last_attributed_touch_timestamp
            last_attributed_touch_timestamp_iso last_attributed_touch_data_tilde_id
            last_attributed_touch_data_tilde_campaign last_attributed_touch_data_tilde_campaign_id
            last_attributed_touch_data_tilde_channel last_attributed_touch_data_tilde_feature
            last_attributed_touch_data_tilde_stage last_attributed_touch_data_tilde_tags
            last_attributed_touch_data_tilde_advertising_partner_name last_attributed_touch_data_tilde_secondary_publisher
            last_attributed_touch_data_tilde_creative_name last_attributed_touch_data_tilde_creative_id
            last_attributed_touch_data_tilde_ad_set_name last_attributed_touch_data_tilde_ad_set_id
            last_attributed_touch_data_tilde_ad_name last_attributed_touch_data_tilde_ad_id
            last_attributed_touch_data_tilde_branch_ad_format last_attributed_touch_data_tilde_technology_partner
            last_attributed_touch_data_tilde_banner_dimensions last_attributed_touch_data_tilde_placement
            last_attributed_touch_data_tilde_keyword_id last_attributed_touch_data_tilde_agency
            last_attributed_touch_data_tilde_optimization_model last_attributed_touch_data_tilde_secondary_ad_format
            last_attributed_touch_data_tilde_journey_name last_attributed_touch_data_tilde_journey_id
            last_attributed_touch_data_tilde_view_name last_attributed_touch_data_tilde_view_id
            last_attributed_touch_data_plus_current_feature last_attributed_touch_data_plus_via_features
            last_attributed_touch_data_dollar_3p last_attributed_touch_data_plus_web_format
            last_attributed_touch_data_custom_fields days_from_last_attributed_touch_to_event
            hours_from_last_attributed_touch_to_event minutes_from_last_attributed_touch_to_event
            seconds_from_last_attributed_touch_to_event last_cta_view_timestamp last_cta_view_timestamp_iso
            last_cta_view_data_tilde_id last_cta_view_data_tilde_campaign last_cta_view_data_tilde_campaign_id
            last_cta_view_data_tilde_channel last_cta_view_data_tilde_feature last_cta_view_data_tilde_stage
            last_cta_view_data_tilde_tags last_cta_view_data_tilde_advertising_partner_name
            last_cta_view_data_tilde_secondary_publisher last_cta_view_data_tilde_creative_name
            last_cta_view_data_tilde_creative_id last_cta_view_data_tilde_ad_set_name last_cta_view_data_tilde_ad_set_id
            last_cta_view_data_tilde_ad_name last_cta_view_data_tilde_ad_id last_cta_view_data_tilde_branch_ad_format
            last_cta_view_data_tilde_technology_partner last_cta_view_data_tilde_banner_dimensions
            last_cta_view_data_tilde_placement last_cta_view_data_tilde_keyword_id last_cta_view_data_tilde_agency
            last_cta_view_data_tilde_optimization_model last_cta_view_data_tilde_secondary_ad_format
            last_cta_view_data_plus_via_features last_cta_view_data_dollar_3p last_cta_view_data_plus_web_format
            last_cta_view_data_custom_fields deep_linked first_event_for_user user_data_os user_data_os_version
            user_data_model user_data_browser user_data_geo_country_code user_data_app_version user_data_sdk_version
            user_data_geo_dma_code user_data_environment user_data_platform user_data_aaid user_data_idfa user_data_idfv
            user_data_android_id user_data_limit_ad_tracking user_data_user_agent user_data_ip user_data_developer_identity
            user_data_language user_data_brand di_match_click_token event_data_revenue_in_usd event_data_exchange_rate
            event_data_transaction_id event_data_revenue event_data_currency event_data_shipping event_data_tax
            event_data_coupon event_data_affiliation event_data_search_query event_data_description custom_data
            last_attributed_touch_data_tilde_keyword user_data_cross_platform_id user_data_past_cross_platform_ids
            user_data_prob_cross_platform_ids store_install_begin_timestamp referrer_click_timestamp
            user_data_os_version_android user_data_geo_city_code user_data_geo_city_en user_data_http_referrer
            event_timestamp customer_event_alias last_attributed_touch_data_tilde_customer_campaign
            last_attributed_touch_data_tilde_campaign_type last_cta_view_data_tilde_campaign_type
            last_attributed_touch_data_tilde_agency_id last_attributed_touch_data_plus_touch_id
            last_cta_view_data_plus_touch_id user_data_installer_package_name user_data_cpu_type user_data_screen_width
            user_data_screen_height user_data_build user_data_internet_connection_type hash_version user_data_opted_in
            days_from_install_to_opt_in request_id last_attributed_touch_data_tilde_keyword_match_type
            last_attributed_touch_data_tilde_organic_search_url match_guaranteed user_data_opted_in_status
            last_attributed_touch_data_dollar_marketing_title user_data_oaid
            """
        let expected: [String] = names.split(whereSeparator: \.isWhitespace).map { String($0) }
        let found: [String] = ExportColumn.all(of: .click).map { $0.name }
        #expect(found == expected)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (951_782_400_001, "2000-02-29T00:00:00.001Z"),
        (1_798_761_599_999, "2026-12-31T23:59:59.999Z"),
        (4_107_542_400_050, "2100-03-01T00:00:00.050Z"), (-1, "1969-12-31T23:59:59.999Z"),
    ])
    func timesAreWrittenAsTheCalendarHasThem(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).iso8601 == text)
    }

    @Test func everyOldFileHasItsColumns() throws {
        #expect(ExportColumn.all(of: .links).count == 13)
        #expect(ExportColumn.all(of: .clicks).count == 25)
        #expect(ExportColumn.all(of: .events).first?.name == "id")
        #expect(ExportColumn.all(of: .events).last?.name == "session_referring_click_id")
        #expect(throws: Failure.self) { try ExportColumn.columns(named: ["user_data_os"], of: .links) }
    }
}
