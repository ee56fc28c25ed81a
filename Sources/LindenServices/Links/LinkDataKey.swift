import LindenKernel

/// A `$` key of link data that has a meaning for Linden, for Branch's SDKs or for Branch.
struct LinkDataKey: Sendable {
    /// The type of a key's value.
    enum Kind: Sendable {
        case text
        /// A URL that a browser is redirected to.
        case page
        case webURL
        case flag
        /// A path behind an app's URI scheme.
        case path
        case uriRedirectMode
        /// A whole number of seconds, or of milliseconds.
        case duration
        case redirectTimeout
        case days
        case number
        /// A JSON object of tags, or its text.
        case tags
        /// The text of a text message.
        case message
    }

    let name: String
    let kind: Kind

    /// Returns the key of that name; nil if it has no meaning.
    static func named(_ name: String) -> LinkDataKey? {
        if let key = byName[name] { return key }
        if name.hasPrefix("$journeys_") { return LinkDataKey(name: name, kind: .text) }
        return isForCountry(name) ? LinkDataKey(name: name, kind: .page) : nil
    }

    /// Whether the name is of a URL for one country, with its two-letter code: `$ios_url_de`. Compares bytes, since a link may have a
    /// thousand keys.
    private static func isForCountry(_ name: String) -> Bool {
        let code = name.utf8.suffix(3)
        guard code.first == UInt8(ascii: "_"), code.dropFirst().allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
        else { return false }
        return ["$fallback_url", "$ios_url", "$android_url"].contains { $0.utf8.elementsEqual(name.utf8.dropLast(3)) }
    }

    /// Returns the known name nearest to an unknown one; nil if none is near.
    static func nearestName(to name: String) -> String? { Spelling.nearest(to: name, in: all.map(\.name)) }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    private static let all: [LinkDataKey] = [
        keys(
            .page,
            "$fallback_url $desktop_url $windows_desktop_url $mac_desktop_url $ios_url $ios_has_app_url $ipad_url $android_url "
                + "$samsung_url $huawei_url $fire_url $windows_phone_url $blackberry_url $ios_wechat_url $android_wechat_url "
                + "$after_click_url $afterclick_desktop_url $og_redirect"),
        keys(
            .webURL,
            "$canonical_url $original_url $og_image_url $og_url $og_video $twitter_image_url $twitter_player"),
        keys(
            .flag,
            "$web_only $mobile_web_only $desktop_web_only $always_deeplink $ios_nativelink $one_time_use $use_https_app_store "
                + "$publicly_indexable $locally_indexable $deeplink_no_attribution $do_not_process"),
        keys(.path, "$deeplink_path $ios_deeplink_path $android_deeplink_path $desktop_deeplink_path"),
        keys(.uriRedirectMode, "$uri_redirect_mode $ios_uri_redirect_mode $android_uri_redirect_mode"),
        keys(.duration, "$match_duration $exp_date $creation_timestamp"),
        keys(.redirectTimeout, "$ios_redirect_timeout $android_redirect_timeout"),
        keys(
            .days,
            "$click_install_window_days $click_session_start_window_days $click_conversion_window_days "
                + "$impression_install_window_days $impression_session_start_window_days $impression_conversion_window_days"),
        keys(
            .number,
            "$og_image_width $og_image_height $twitter_player_width $twitter_player_height $price $quantity $amount $rating "
                + "$rating_average $rating_count $rating_max $latitude $longitude"),
        keys(.tags, "$custom_meta_tags"),
        keys(.message, "$custom_sms_text"),
        keys(
            .text,
            "$ios_deepview $android_deepview $desktop_deepview $ios_passive_deepview $android_passive_deepview "
                + "$desktop_passive_deepview $og_title $og_description $og_type $og_app_id $twitter_card $twitter_title "
                + "$twitter_description $twitter_site $twitter_app_country $canonical_identifier $canonical_identifier_list $keywords "
                + "$content_type $content_schema $condition $currency $sku $product_name $product_brand $product_category "
                + "$product_variant $address_street $address_city $address_region $address_country $address_postal_code "
                + "$image_captions $custom_fields $marketing_title $email_subject $email_html_header $email_html_footer "
                + "$email_html_link_text $one_time_use_used $identity_id $randomized_bundle_token $3p $aaid $idfa"),
    ].flatMap { $0 }

    private static func keys(_ kind: Kind, _ names: String) -> [LinkDataKey] {
        names.split(separator: " ").map { LinkDataKey(name: String($0), kind: kind) }
    }
}
