/// A parser of the device model in an Android user agent, in the form of `Build.MODEL`, which the SDKs send.
enum AndroidModel {
    /// Returns the model, the first field after the system's that is a model's name, as in
    /// `Linux; Android 14; Pixel 8 Build/AP2A.240805.005; wv`.
    static func read(_ text: UserAgentText) -> String? {
        guard let system = text.fields.firstIndex(where: { $0.hasPrefix("Android") }) else { return nil }
        return text.fields[(system + 1)...].lazy.compactMap(model).first
    }

    private static func model(_ field: Substring) -> String? {
        var name = field
        if let build = name.firstRange(of: "Build/")?.lowerBound { name = name[..<build] }
        if let slash = name.firstIndex(of: "/") { name = name[..<slash] }
        // Samsung's browser adds the maker as a prefix, which `Build.MODEL` does not have.
        for maker in ["SAMSUNG ", "samsung "] where name.hasPrefix(maker) { name = name.dropFirst(maker.count) }
        while name.last == " " { name.removeLast() }
        guard !name.isEmpty, name.utf8.count <= longest, !isElse(name) else { return nil }
        return String(name)
    }

    private static let longest = 64

    private static func isElse(_ field: Substring) -> Bool {
        // `K` replaces every model in Chrome's reduced user agent.
        if ["K", "U", "wv", "Mobile", "Tablet", "Touch", "TV", "arm_64", "arm", "x64", "ARM64"].contains(field) { return true }
        if ["rv:", "Harmony", "HMSCore", "GMSCore", "Cronet", "Opera", "compatible"].contains(where: field.hasPrefix) {
            return true
        }
        return isLanguage(field)
    }

    /// Whether a field is a language: `en`, `en-us`, `en_GB`, `zh-CN`.
    private static func isLanguage(_ field: Substring) -> Bool {
        let parts = field.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        guard let language = parts.first, parts.count <= 2, language.count == 2, language.allSatisfy(\.isLowercase) else {
            return false
        }
        return parts.count == 1 || parts[1].count == 2 && parts[1].allSatisfy(\.isLetter)
    }
}
