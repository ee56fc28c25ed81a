import Linden

/// The parameters of a session as SDKs read them: JSON text, and in it nothing that one of them could not take.
///
/// The iOS SDK compares the validator's keys as texts and takes the tags for an array of texts; another type raises an exception in the
/// app. So does null where it reads a text: a key of Branch's own that is null is left out. The customer's keys are his.
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
