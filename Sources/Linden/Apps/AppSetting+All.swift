import LindenKernel

extension AppSetting {
    /// All known settings, by subject. Names without a dot are Branch's, except for `ios_app_store_id` and `security`.
    package static let all =
        ios + android + desktop + links + previews + pages + textMessages + shared + unused

    /// Settings of the whole app. Rewards, money and attribution follow the live side's settings on both sides.
    private static let shared = attribution + events + security + credits + fraud

    private static let sharedNames = Set(shared.map(\.name))

    /// Whether a setting is shared by the live and test sides, so that only the live key's secret may change it.
    package static func isShared(_ name: String) -> Bool { sharedNames.contains(name) }

    static let ownHosts = "links.own_hosts"
    package static let nativeLink = "links.ios_nativelink"
    package static let fingerprint = "attribution.fingerprint"
    package static let customText = "sms.custom_text"
    package static let longestMatch = "links.max_match_duration"
    /// One day. Branch's default is two hours. With this default, an address key is kept for at most one day after its own.
    static let standardLongestMatchSeconds: Int64 = 86_400

    private static let ios = [
        AppSetting("ios_uri_scheme", .uriScheme, "The iOS app's URI scheme, by which links open it."),
        AppSetting("ios_bundle_id", .appName(.bundleID), "The iOS app's bundle id, for Universal Links."),
        AppSetting("ios_team_id", .appName(.teamID), "The Apple team that signs the app, for Universal Links."),
        AppSetting("ios_app_store_id", .appStoreID, "The app's number in the App Store, where iPhones without the app are sent."),
        AppSetting("ios_url", .webURL, "Where iPhones without the app are sent, in place of the App Store."),
        AppSetting(
            "deepview_ios", .deepview, default: "false", "Show a page about the content to iPhones before they go to the store."),
    ]

    private static let android = [
        AppSetting("android_uri_scheme", .uriScheme, "The Android app's URI scheme, by which links open it."),
        AppSetting("android_package_name", .appName(.package), "The Android app's package, for App Links and Google Play."),
        AppSetting(
            "sha256_cert_fingerprints", .certificateFingerprints, "The certificates that sign the Android app, for App Links."),
        AppSetting("android_url", .webURL, "Where Android phones without the app are sent, in place of Google Play."),
        AppSetting("fire_url", .webURL, "Where Amazon's devices without the app are sent."),
        AppSetting(
            "deepview_android", .deepview, default: "false",
            "Show a page about the content to Android phones before they go to the store."),
    ]

    private static let desktop = [
        AppSetting("desktop_uri_scheme", .uriScheme, "The desktop app's URI scheme, by which links open it."),
        AppSetting("default_desktop_url", .webURL, "Where desktops are sent."),
        AppSetting("deepview_desktop", .deepview, default: "false", "Show a page about the content to desktops."),
        AppSetting("windows_phone_url", .webURL, "Where Windows Phones are sent."),
        AppSetting("blackberry_url", .webURL, "Where BlackBerrys are sent."),
    ]

    private static let links = [
        AppSetting("web_url", .webURL, "Where visitors are sent for whom no other setting and no key of the link applies."),
        AppSetting("always_open_app", .branchFlag, default: "true", "Links try the app's URI scheme unless they say otherwise."),
        AppSetting(
            "uri_redirect_mode", .uriRedirectMode, default: "where it is safe",
            "When a page tries the URI scheme by itself: 0 never, 1 for people known to have the app, 2 always."),
        AppSetting("utm_mapping", .branchFlag, default: "true", "Web pages get the link's labels as UTM parameters."),
        AppSetting("redirect_allowlist", .hosts, default: "any host", "The only web hosts that links may lead to."),
        AppSetting(
            ownHosts, .hosts,
            "Further hosts of the app, beside those of its domains, URLs and allow list: their pages may use the Web SDK, and URLs that "
                + "visitors append to links may lead there."),
        AppSetting(
            "alternate_short_url_domain", .host,
            "A second host of the app's links, whose Universal Links open the app from a page of the first."),
        AppSetting(
            "routes.validation", .choice(RouteValidation.allCases.map(\.rawValue)), default: RouteValidation.off.rawValue,
            "What happens to a link whose path into the app none of its routes takes."),
        AppSetting(
            "links.expire_with_content", .flag, default: "false", "A link ends on its content's date ($exp_date)."),
        AppSetting(
            nativeLink, .flag, default: "false",
            "Links on iOS lead over a page whose button puts the link onto the clipboard, where the app finds it after its install, unless "
                + "they say otherwise ($ios_nativelink)."),
        AppSetting(
            "links.sitemap", .flag, default: "false", "Serve /sitemap.xml on the app's domain: its own links about its own content."
        ),
    ]

    private static let previews = [
        AppSetting("og_title", .text, default: "the app's name", "The title of previews of links that have none ($og_title)."),
        AppSetting("og_description", .text, "The description of previews of links that have none ($og_description)."),
        AppSetting("og_image_url", .webURL, "The picture of previews of links that have none ($og_image_url)."),
    ]

    private static let pages = [
        AppSetting("pages.icon_url", .webURL, "The app's icon on pages; its first letter otherwise."),
        AppSetting("pages.color", .color, "The colour of buttons on pages."),
        AppSetting("pages.background_color", .color, "The colour behind pages."),
    ]

    private static let textMessages = [
        AppSetting(
            "text_message", .text, default: "Open NAME: {{ link }}", "The text message that takes a link from a desktop to a phone."
        ),
        AppSetting(
            customText, .choice(["authenticated", "all", "none"]), default: "authenticated",
            "Which links may bring a text message of their own ($custom_sms_text). authenticated: those made with the app's secret, an access "
                + "token or the dashboard. all: also those that anyone makes with the branch key, whose words are then sent in your name."
        ),
    ]

    private static let attribution = [
        AppSetting(
            fingerprint, .choice(["on", "off"]), default: "on",
            "on: an opening without an id may be matched to a click by address and device, which is likely, not certain. off: only by an "
                + "id, and nothing is kept to compare."),
        AppSetting(
            longestMatch, .number(0...Link.longestMatchSeconds), default: "\(standardLongestMatchSeconds) (a day)",
            "The longest time, in seconds, in which a click is matched to an install by its address. Longer ones that links or their "
                + "visitors ask for ($match_duration, duration) are cut to it."),
        AppSetting(
            "click_install_window_days", .days, default: "30", "For how many days a click that is known by an id brings an install."
        ),
        AppSetting(
            "click_session_start_window_days", .days, default: "90",
            "For how many days a click that is known by an id brings a later session."),
        AppSetting(
            "click_conversion_window_days", .days, default: "90", "For how many days the last click is credited with events."),
    ]

    private static let events = [
        AppSetting(EventSettings.currencySetting, .currency, default: "USD", "What revenue is converted to and reported in."),
        AppSetting(
            EventSettings.uniqueTransactionsSetting, .flag, default: "false",
            "A transaction_id counts once for each user and name of an event."),
    ]

    private static let security = [
        AppSetting(
            CreditSettings.securitySetting, .choice(CreditSettings.Security.allCases.map(\.rawValue)),
            default: CreditSettings.Security.branch.rawValue,
            "branch: calls with the public key alone do what they do with Branch, as far as the settings credits.* allow. strict: those settings "
                + "are all off, users' credits need the secret, a session does not tell who shared its link or the phone number that a text "
                + "message was sent to, and a login by a user's name tells and changes nothing about earlier devices.")
    ]

    private static let credits = [
        AppSetting(
            "credits.read_by_key", .flag, default: "true",
            "Anyone with the public key may read the credits of a user whose name they know, as with Branch."),
        AppSetting(
            "credits.claim_by_name", .flag, default: "true",
            "A device that logs in by a user's name has that user's credits, as with Branch. Where it is false, credits of users who have a "
                + "name need the secret."),
        AppSetting("credits.client_redeem", .flag, default: "true", "The app redeems credits for its user, without the secret."),
        AppSetting(
            "credits.client_apply", .flag, default: "true", "The app applies referral codes for its user, without the secret."),
        AppSetting("credits.client_codes", .flag, default: "false", "The app makes referral codes, without the secret."),
        AppSetting(
            "credits.merge_on_login", .flag, default: "false", "An anonymous user's credits go to the user who logs in there."),
    ]

    private static let fraud = [
        AppSetting(
            "fraud.installs_per_address", .number(1...FraudSettings.highestLimit), default: "off",
            "More new devices from one address within a day are flagged."),
        AppSetting(
            "fraud.installs_per_model", .number(1...FraudSettings.highestLimit), default: "off",
            "More new devices of one model within a day are flagged."),
        AppSetting(
            "fraud.seconds_after_click", .number(1...FraudSettings.highestLimit), default: "off",
            "An install so few seconds after its click is flagged."),
        AppSetting("fraud.emulators", .flag, default: "false", "Emulators are flagged."),
        AppSetting(
            "fraud.self_referral", .flag, default: "false",
            "An install from where its referrer just was is flagged; otherwise it has no referrer."),
        AppSetting(
            RewardLimits.perAddressSetting, .limit(0...FraudSettings.highestLimit),
            default: String(RewardLimits.standardPerAddress),
            "More rewards or referrals on a day (UTC) from one address, without the secret, wait for the operator."),
        AppSetting(
            RewardLimits.perNetworkSetting, .limit(0...FraudSettings.highestLimit),
            default: String(RewardLimits.standardPerNetwork), "The same for the network of an address: /24, or /48 of IPv6."),
        AppSetting(
            RewardLimits.perDaySetting, .limit(0...1_000_000_000),
            default:
                "\(RewardLimits.usualMultiple) times the usual day of the last \(RewardLimits.usualDays), at least \(RewardLimits.leastPerDay)",
            "The same for all calls without the secret together."),
        AppSetting(
            AppConfiguration.fraudAction, .choice(FraudSettings.Action.allCases.map(\.rawValue)), default: "hold",
            "Rewards of a device with a fraud signal wait for the operator (hold), or are granted and reversed at once (remove)."),
    ]

    private static let unused =
        [
            ("dev_name", Kind.text), ("dev_email", .text), ("dev_phone_number", .text), ("ios_app", .text), ("android_app", .text),
            ("ios_store_country", .text), ("universal_linking_enabled", .text), ("android_app_links_enabled", .text),
            ("short_url_domain", .text), ("default_short_url_domain", .text), ("og_app_id", .text),
            ("impression_install_window_days", .days), ("impression_session_start_window_days", .days),
            ("impression_conversion_window_days", .days),
        ].map { AppSetting($0, $1, "Branch's; kept, and without effect here.") }
}
