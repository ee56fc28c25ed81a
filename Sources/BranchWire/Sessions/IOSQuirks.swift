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

    static func spotlightURL(_ body: RequestFields) -> String? {
        guard let text = body.text("spotlight_identifier"), text.hasPrefix(spotlightPrefix + "/") else { return nil }
        return String(text.dropFirst(spotlightPrefix.count + 1))
    }
}
