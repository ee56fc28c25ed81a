import LindenKernel
import LinkRouting

/// The parameters of a session as SDKs receive them: JSON text without values that an SDK cannot parse.
///
/// The iOS SDK compares the validator's keys as strings and expects the tags as an array of strings; another type raises an exception in
/// the app. So does null where it expects a string: Branch's own keys with a null value are omitted. The customer's keys are unchanged.
enum SessionData {
    static func text(_ data: JSONObject) -> JSON {
        var corrected = JSONObject()
        for (key, value) in data {
            switch key.ifASCII {
            case "bnc_validate", "_branch_validate", "validate_integration", "ct":
                if let text = value.scalarText { corrected[key] = .string(text) }
            case "~tags": corrected[key] = JSON((value.array ?? [value]).compactMap(\.scalarText))
            case _ where value.isNull && isBranchKey(key): break
            default: corrected[key] = value
            }
        }
        return .string(JSON.object(corrected).text)
    }

    private static func isBranchKey(_ key: String) -> Bool { key.utf8.first.map { "$~+".utf8.contains($0) } ?? false }
}
