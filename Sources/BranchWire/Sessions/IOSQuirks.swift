import Linden

/// What only the iOS SDK does.
enum IOSQuirks {
    /// From 1.40.0 the SDK calls its tokens `randomized_…`; its first install does not show it, having no token yet.
    static func speaksNewNames(_ body: RequestFields) -> Bool {
        let sdk = SDKVersion(body)
        return sdk.family == .ios && sdk >= (1, 40)
    }

    /// The SDK compares the validator's keys as texts and asks for the tags as an array of texts; another type raises an exception in the
    /// app. So does null where it reads a text: a key of Branch's own that is null is left out, the customer's keys are his.
    static func corrected(_ data: JSONObject) -> JSONObject {
        var corrected = JSONObject()
        for (key, value) in data {
            switch key {
            case "bnc_validate", "_branch_validate", "validate_integration", "ct":
                if let text = value.scalarText { corrected[key] = .string(text) }
            case "~tags": corrected[key] = JSON((value.array ?? [value]).compactMap(\.scalarText))
            case let key where value.isNull && ["$", "~", "+"].contains(key.prefix(1)): break
            default: corrected[key] = value
            }
        }
        return corrected
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
