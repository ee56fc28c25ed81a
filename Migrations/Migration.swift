/// One step of the schema, in PostgreSQL's words.
package struct Migration: Sendable {
    package let number: Int
    package let name: String
    package let sql: String

    fileprivate init(_ number: Int, _ name: String, _ bytes: [UInt8]) {
        self.number = number
        self.name = name
        sql = String(decoding: bytes, as: UTF8.self)
    }

    /// Every step, in order. Steps are only ever appended: a database remembers the checksums of those it has been through.
    package static let all = [
        Migration(1, "installation", PackageResources._001_installation_sql),
        Migration(2, "apps", PackageResources._002_apps_sql),
        Migration(3, "links", PackageResources._003_links_sql),
        Migration(4, "clicks", PackageResources._004_clicks_sql),
        Migration(5, "sessions", PackageResources._005_sessions_sql),
        Migration(6, "link_days", PackageResources._006_link_days_sql),
        Migration(7, "first_sessions", PackageResources._007_first_sessions_sql),
        Migration(8, "events", PackageResources._008_events_sql),
        Migration(9, "requests", PackageResources._009_requests_sql),
        Migration(10, "browsers", PackageResources._010_browsers_sql),
        Migration(11, "associated_apps", PackageResources._011_associated_apps_sql),
        Migration(12, "link_limits", PackageResources._012_link_limits_sql),
        Migration(13, "text_messages", PackageResources._013_text_messages_sql),
        Migration(14, "routes", PackageResources._014_routes_sql),
        Migration(15, "click_details", PackageResources._015_click_details_sql),
        Migration(16, "links_by_object", PackageResources._016_links_by_object_sql),
        Migration(17, "domains_by_app", PackageResources._017_domains_by_app_sql),
        Migration(18, "likeness", PackageResources._018_likeness_sql),
        Migration(19, "addresses", PackageResources._019_addresses_sql),
        Migration(20, "address_keys", PackageResources._020_address_keys_sql),
        Migration(21, "touches", PackageResources._021_touches_sql),
        Migration(22, "device_reports", PackageResources._022_device_reports_sql),
        Migration(23, "sessions_by_click", PackageResources._023_sessions_by_click_sql),
        Migration(24, "credits", PackageResources._024_credits_sql),
        Migration(25, "rewards", PackageResources._025_rewards_sql),
        Migration(26, "held_rewards", PackageResources._026_held_rewards_sql),
        Migration(27, "event_facts", PackageResources._027_event_facts_sql),
        Migration(28, "rates", PackageResources._028_rates_sql),
        Migration(29, "rollups", PackageResources._029_rollups_sql),
        Migration(30, "analytics", PackageResources._030_analytics_sql),
        Migration(31, "exports", PackageResources._031_exports_sql),
        Migration(33, "spent_expiring_credits", PackageResources._033_spent_expiring_credits_sql),
        Migration(34, "device_sketches", PackageResources._034_device_sketches_sql),
        Migration(35, "split_users", PackageResources._035_split_users_sql),
        Migration(37, "browser_devices", PackageResources._037_browser_devices_sql),
        Migration(43, "money_sums", PackageResources._043_money_sums_sql),
        Migration(
            44, "pruned_rows_and_event_names", PackageResources._044_pruned_rows_and_event_names_sql),
        Migration(45, "untrusted_proxies", PackageResources._045_untrusted_proxies_sql),
        Migration(46, "domain_pages", PackageResources._046_domain_pages_sql),
        Migration(50, "value_sources", PackageResources._050_value_sources_sql),
        Migration(55, "test_settings", PackageResources._055_test_settings_sql),
        Migration(56, "refused_urls", PackageResources._056_refused_urls_sql),
        Migration(57, "key_rotation", PackageResources._057_key_rotation_sql),
        Migration(58, "reward_sources", PackageResources._058_reward_sources_sql),
        Migration(60, "proxy_faults", PackageResources._060_proxy_faults_sql),
        Migration(61, "authenticated_links", PackageResources._061_authenticated_links_sql),
        Migration(62, "held_reward_sources", PackageResources._062_held_reward_sources_sql),
        Migration(63, "bounded_writes", PackageResources._063_bounded_writes_sql),
        Migration(65, "device_traits", PackageResources._065_device_traits_sql),
        Migration(66, "authenticated_objects", PackageResources._066_authenticated_objects_sql),
        Migration(67, "bounded_reads", PackageResources._067_bounded_reads_sql),
        Migration(68, "sites", PackageResources._068_sites_sql),
    ]
}
