import Linden
import LindenKernel

/// Parsing that is specific to the iOS SDK.
enum IOSQuirks {
    /// Whether the SDK calls its tokens `randomized_…`, as it does from 1.40.0 on. The version decides, because a first install has no
    /// token yet.
    static func speaksNewNames(_ body: RequestFields) -> Bool {
        let sdk = SDKVersion(body)
        return sdk.family == .ios && sdk >= (1, 40)
    }

    /// The prefix of search item identifiers for links that the app adds to Spotlight. The SDK recognises its items by this prefix, and
    /// sends the identifier back when the user opens one.
    private static let spotlightPrefix = "io.branch.link.v1"

    static func spotlightIdentifier(of url: String) -> String { spotlightPrefix + "/" + url }

    /// Returns Apple's attribution data of a search ad, sent by SDKs up to 1.x if the app requests it. `debug` is set in every request of
    /// an app in debug mode, where the ad is a sample.
    static func searchAd(_ body: RequestFields) -> SearchAd? {
        body.text("search_ad_encoded").flatMap { SearchAd(encoded: $0, isDebug: body.flag("debug")) }
    }

    /// Returns the token for Apple's AdServices, sent from 1.39 on, once per installation. Nil for what Apple would refuse: anything but
    /// Base64, or a token over the length limit.
    static func appleAttributionToken(_ body: RequestFields) -> String? {
        guard let token = body.text("apple_attribution_token"), token.utf8.count <= longestToken else { return nil }
        return token.utf8.allSatisfy(Base64.isDigit) ? token : nil
    }

    /// In bytes. Real tokens have about three hundred.
    private static let longestToken = 1024

    static func spotlightURL(_ body: RequestFields) -> String? {
        guard let text = body.address("spotlight_identifier"), text.hasPrefix(spotlightPrefix + "/") else { return nil }
        return String(text.dropFirst(spotlightPrefix.count + 1))
    }
}
