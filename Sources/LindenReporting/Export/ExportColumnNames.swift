extension ExportColumn {
    /// The columns of Branch's daily exports in their order (Branch, "Daily exports", schema).
    static let names = expanded(
        """
        id name timestamp timestamp_iso origin last_attributed_touch_type last_attributed_touch_timestamp
        last_attributed_touch_timestamp_iso LATD_tilde_id LATD_tilde_campaign LATD_tilde_campaign_id LATD_tilde_channel
        LATD_tilde_feature LATD_tilde_stage LATD_tilde_tags LATD_tilde_advertising_partner_name LATD_tilde_secondary_publisher
        LATD_tilde_creative_name LATD_tilde_creative_id LATD_tilde_ad_set_name LATD_tilde_ad_set_id LATD_tilde_ad_name
        LATD_tilde_ad_id LATD_tilde_branch_ad_format LATD_tilde_technology_partner LATD_tilde_banner_dimensions
        LATD_tilde_placement LATD_tilde_keyword_id LATD_tilde_agency LATD_tilde_optimization_model
        LATD_tilde_secondary_ad_format LATD_tilde_journey_name LATD_tilde_journey_id LATD_tilde_view_name LATD_tilde_view_id
        LATD_plus_current_feature LATD_plus_via_features LATD_dollar_3p LATD_plus_web_format LATD_custom_fields
        days_from_last_attributed_touch_to_event hours_from_last_attributed_touch_to_event
        minutes_from_last_attributed_touch_to_event seconds_from_last_attributed_touch_to_event last_cta_view_timestamp
        last_cta_view_timestamp_iso LCTA_tilde_id LCTA_tilde_campaign LCTA_tilde_campaign_id LCTA_tilde_channel
        LCTA_tilde_feature LCTA_tilde_stage LCTA_tilde_tags LCTA_tilde_advertising_partner_name LCTA_tilde_secondary_publisher
        LCTA_tilde_creative_name LCTA_tilde_creative_id LCTA_tilde_ad_set_name LCTA_tilde_ad_set_id LCTA_tilde_ad_name
        LCTA_tilde_ad_id LCTA_tilde_branch_ad_format LCTA_tilde_technology_partner LCTA_tilde_banner_dimensions
        LCTA_tilde_placement LCTA_tilde_keyword_id LCTA_tilde_agency LCTA_tilde_optimization_model
        LCTA_tilde_secondary_ad_format LCTA_plus_via_features LCTA_dollar_3p LCTA_plus_web_format LCTA_custom_fields
        deep_linked first_event_for_user user_data_os user_data_os_version user_data_model user_data_browser
        user_data_geo_country_code user_data_app_version user_data_sdk_version user_data_geo_dma_code user_data_environment
        user_data_platform user_data_aaid user_data_idfa user_data_idfv user_data_android_id user_data_limit_ad_tracking
        user_data_user_agent user_data_ip user_data_developer_identity user_data_language user_data_brand di_match_click_token
        event_data_revenue_in_usd event_data_exchange_rate event_data_transaction_id event_data_revenue event_data_currency
        event_data_shipping event_data_tax event_data_coupon event_data_affiliation event_data_search_query
        event_data_description custom_data LATD_tilde_keyword user_data_cross_platform_id user_data_past_cross_platform_ids
        user_data_prob_cross_platform_ids store_install_begin_timestamp referrer_click_timestamp user_data_os_version_android
        user_data_geo_city_code user_data_geo_city_en user_data_http_referrer event_timestamp customer_event_alias
        LATD_tilde_customer_campaign LATD_tilde_campaign_type LCTA_tilde_campaign_type LATD_tilde_agency_id LATD_plus_touch_id
        LCTA_plus_touch_id user_data_installer_package_name user_data_cpu_type user_data_screen_width user_data_screen_height
        user_data_build user_data_internet_connection_type hash_version user_data_opted_in days_from_install_to_opt_in
        request_id LATD_tilde_keyword_match_type LATD_tilde_organic_search_url match_guaranteed user_data_opted_in_status
        LATD_dollar_marketing_title user_data_oaid
        """)

    /// Further fields of Branch's custom exports (Branch, "Custom exports", fields). Linden records nothing for most of them.
    static let customNames = expanded(
        """
        app_id app_name attributed content_items existing_user external_intent_uri install_activity_touch_type RENG_dollar_3p
        reengagement_activity_touch_type seconds_from_install_to_event
        seconds_from_last_attributed_touch_to_store_install_begin site_event_items_count LATD_tilde_advertising_account_name
        LATD_tilde_advertising_account_id LATD_tilde_advertising_partner_id LATD_tilde_placement_id
        LATD_tilde_secondary_publisher_id LATD_tilde_sub_site_name LATD_tilde_touch_subtype LATD_plus_url
        LATD_plus_referring_domain LCTA_tilde_external_touch_id INST_tilde_ad_name INST_tilde_ad_set_name
        INST_tilde_advertising_partner_id INST_tilde_advertising_partner_name INST_tilde_agency INST_tilde_agency_id
        INST_tilde_campaign INST_tilde_channel INST_tilde_creative_name INST_tilde_customer_ad_name
        INST_tilde_customer_ad_set_name INST_tilde_customer_campaign INST_tilde_customer_keyword INST_tilde_customer_placement
        INST_tilde_customer_secondary_publisher INST_tilde_customer_sub_site_name INST_tilde_feature INST_tilde_journey_name
        INST_tilde_keyword INST_tilde_placement INST_tilde_secondary_publisher INST_tilde_stage INST_tilde_tags
        INST_tilde_view_name RENG_additional_data_tilde_ad_set_id RENG_additional_data_tilde_campaign_id
        RENG_additional_data_tilde_creative_id RENG_tilde_ad_name RENG_tilde_ad_set_name RENG_tilde_advertising_partner_id
        RENG_tilde_advertising_partner_name RENG_tilde_agency RENG_tilde_agency_id RENG_tilde_campaign RENG_tilde_channel
        RENG_tilde_creative_name RENG_tilde_customer_ad_name RENG_tilde_customer_ad_set_name RENG_tilde_customer_campaign
        RENG_tilde_customer_keyword RENG_tilde_customer_placement RENG_tilde_customer_secondary_publisher
        RENG_tilde_customer_sub_site_name RENG_tilde_feature RENG_tilde_journey_name RENG_tilde_keyword RENG_tilde_placement
        RENG_tilde_secondary_publisher RENG_tilde_stage RENG_tilde_tags RENG_tilde_view_name RENG_plus_via_features
        RENG_plus_web_format user_data_cpp_level user_data_device_type user_data_geo_country_en user_data_geo_lat
        user_data_geo_lon user_data_geo_postal_code user_data_geo_region_en user_data_geo_region_code user_data_is_jailbroken
        user_data_kindle_id user_data_roku_rida user_data_windows_aid user_data_device_locale user_data_carrier_name
        user_data_app_store event_data_ad_type event_data_local_currency event_data_local_currency_exchange_rate
        event_data_revenue_in_local_currency event_data_custom_param_1 event_data_custom_param_2 event_data_custom_param_3
        """)

    /// Columns that need nothing from the report of a row, for a small and fast export.
    static let nativeNames = expanded(
        """
        id name timestamp last_attributed_touch_timestamp LATD_tilde_id LATD_tilde_campaign LATD_tilde_channel LATD_tilde_feature
        user_data_os user_data_model user_data_browser user_data_platform user_data_developer_identity event_data_revenue_in_usd
        event_data_currency event_data_transaction_id
        """)

    static func expanded(_ names: String) -> [String] {
        names.split { $0 == " " || $0 == "\n" }.map { name in
            for (short, long) in abbreviations where name.hasPrefix(short) { return long + name.dropFirst(short.count) }
            return String(name)
        }
    }

    private static let abbreviations = [
        ("LATD_", "last_attributed_touch_data_"), ("LCTA_", "last_cta_view_data_"), ("INST_", "install_activity_touch_data_"),
        ("RENG_", "reengagement_activity_touch_data_"),
    ]
}
