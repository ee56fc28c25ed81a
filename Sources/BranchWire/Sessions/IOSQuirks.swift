import Linden

/// What only the iOS SDK does.
enum IOSQuirks {
    /// From 1.40.0 the SDK calls its tokens `randomized_…`; its first install does not show it, having no token yet.
    static func speaksNewNames(_ body: RequestFields) -> Bool {
        let sdk = SDKVersion(body)
        return sdk.family == .ios && sdk >= (1, 40)
    }

    /// Links of things that the app puts into the phone's search. The SDK recognises their identifiers by this beginning and sends them
    /// back when the user finds the thing.
    private static let spotlightPrefix = "io.branch.link.v1"

    static func spotlightIdentifier(of url: String) -> String { spotlightPrefix + "/" + url }

    /// What Apple told the SDK of the ad that brought its user: up to 1.x, from an app that asks for it. `debug` is on in every request of
    /// an app in debug mode, where the ad is made up.
    static func searchAd(_ body: RequestFields) -> SearchAd? {
        body.text("search_ad_encoded").flatMap { SearchAd(encoded: $0, isDebug: body.flag("debug")) }
    }

    /// A token for Apple's AdServices, from 1.39 on, once for each installation. A cut one would be worth nothing, so one that is too long is
    /// none.
    static func appleAttributionToken(_ body: RequestFields) -> String? {
        body.text("apple_attribution_token").flatMap { $0.utf8.count <= longestToken ? $0 : nil }
    }

    /// In bytes. Real ones have some three hundred.
    private static let longestToken = 4096

    static func spotlightURL(_ body: RequestFields) -> String? {
        guard let text = body.address("spotlight_identifier"), text.hasPrefix(spotlightPrefix + "/") else { return nil }
        return String(text.dropFirst(spotlightPrefix.count + 1))
    }
}
