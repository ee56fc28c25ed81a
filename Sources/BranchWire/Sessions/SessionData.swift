import Linden

/// The parameters of a session as SDKs receive them: JSON text without values that an SDK cannot parse.
///
/// The iOS SDK compares the validator's keys as strings and expects the tags as an array of strings; another type raises an exception in
/// the app. So does null where it expects a string: Branch's own keys with a null value are omitted. The customer's keys are unchanged.
enum SessionData {
    static func text(_ data: JSONObject) -> JSON {
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
        return .string(JSON.object(corrected).text)
    }
}
