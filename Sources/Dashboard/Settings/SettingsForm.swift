import Linden
import LindenKernel

/// The settings of one side of an app as a form: a field for each, with its meaning, its type and its default.
struct SettingsForm {
    /// The stored values by name, as texts.
    let values: [String: String]
    /// The settings that this side may change.
    let editable: [AppSetting]
    /// The values of the live side, which apply where the test side has none; empty for the live side.
    let inherited: [String: String]

    /// - Parameters:
    ///   - configuration: the side's own settings.
    ///   - live: the live side's settings; nil for the live side itself.
    init(_ configuration: AppConfiguration, live: AppConfiguration?) {
        values = configuration.values.texts
        inherited = live?.values.texts ?? [:]
        editable = live == nil ? AppSetting.all : AppSetting.all.filter { !AppSetting.isShared($0.name) }
    }

    // MARK: The form

    /// - Parameter typed: the form after a failed attempt.
    func form(_ path: String, appName: String?, typed: FormFields? = nil) -> Form {
        var fields: [Field] = []
        if let appName {
            fields += [
                .text("name", "The app's name", typed?["name"] ?? appName, isRequired: true),
                .hidden("was.name", typed?["was.name"] ?? appName),
            ]
        }
        for (title, settings) in Self.groups(of: editable) {
            fields.append(.heading(title))
            for setting in settings {
                let stored = values[setting.name] ?? ""
                fields.append(field(setting, typed?[setting.name] ?? stored))
                let was = typed?["was." + setting.name] ?? stored
                if !was.isEmpty { fields.append(.hidden("was." + setting.name, was)) }
            }
        }
        return Form(path, submit: "Save", cancel: path, fields)
    }

    private func field(_ setting: AppSetting, _ value: String) -> Field {
        let standard = inherited[setting.name].map { "as on the live side, \($0)" } ?? setting.standard ?? "none"
        let hint = "\(setting.meaning) Allowed: \(setting.kind.summary). Default: \(standard)."
        let words: [String]
        switch setting.kind {
        case .flag, .branchFlag: words = ["true", "false"]
        case .choice(let all): words = all
        default: return .text(setting.name, setting.name, value, hint: hint)
        }
        let all = [""] + words + (words.contains(value) || value.isEmpty ? [] : [value])
        return .choice(
            setting.name, setting.name, value, all.map { (value: $0, label: $0.isEmpty ? "default: \(standard)" : $0) }, hint: hint)
    }

    private static func groups(of settings: [AppSetting]) -> [(title: String, settings: [AppSetting])] {
        var groups: [(title: String, settings: [AppSetting])] = []
        for setting in settings {
            let title = Self.title(of: setting.name)
            if let index = groups.firstIndex(where: { $0.title == title }) {
                groups[index].settings.append(setting)
            } else {
                groups.append((title, [setting]))
            }
        }
        return groups
    }

    private static func title(of name: String) -> String {
        if let dot = name.firstIndex(of: ".") { return name[..<dot].prefix(1).uppercased() + name[..<dot].dropFirst() }
        let words = name.split(separator: "_")
        if words.contains("ios") { return "iOS" }
        if words.contains(where: { ["android", "fire", "sha256"].contains($0) }) { return "Android" }
        if words.contains(where: { ["desktop", "windows", "blackberry"].contains($0) }) { return "Desktop and other systems" }
        return "General"
    }

    // MARK: What the fields say

    /// Returns the settings that differ from the values with which the form was shown, so that what another user has saved meanwhile is kept.
    /// Null removes one.
    func changes(_ typed: FormFields) -> JSONObject {
        var changes: JSONObject = [:]
        for setting in editable where typed[setting.name] != typed["was." + setting.name].trimmed {
            let text = typed[setting.name]
            switch setting.kind {
            case _ where text.isEmpty: changes[setting.name] = .null
            case .certificateFingerprints:
                changes[setting.name] = JSON(text.split { $0 == "," || $0.isWhitespace }.map(String.init))
            default: changes[setting.name] = .string(text)
            }
        }
        return changes
    }
}

extension JSONObject {
    /// The values as texts; the elements of an array separated by commas.
    fileprivate var texts: [String: String] {
        Dictionary(
            map { key, value in
                (key, value.array.map { $0.compactMap(\.scalarText).joined(separator: ", ") } ?? value.scalarText ?? value.text)
            }, uniquingKeysWith: { $1 })
    }
}
