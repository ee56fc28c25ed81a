import Linden
import LindenKernel

/// The doctor's check of an app's stored settings: names without an effect and values that cannot be parsed. Replacing an app's
/// configuration stores any name, as Branch does, and an older version may have stored values that are refused now.
package enum StoredSettingsCheck {
    /// - Parameter reference: the operator's reference to the side of the app that has these settings, for the commands in the findings.
    package static func findings(on app: App, reference: String) -> [Finding] {
        let problems = app.configuration.values.compactMap { problem(with: $0.key, $0.value, app, reference) }
        guard problems.isEmpty else { return problems }
        return [Finding("settings.values", .ok, "All settings are known and valid.", app: app.id)]
    }

    private static func problem(with name: String, _ value: JSON, _ app: App, _ reference: String) -> Finding? {
        guard let setting = AppSetting.named(name) else {
            let near = AppSetting.nearestName(to: name).map { "; the nearest that has one is \($0)" } ?? ""
            return Finding(
                "settings.unknown", .warning, "\(name) has no effect\(near).",
                remedy: Remedy("To remove it", .set(name, to: "", app: reference)), app: app.id)
        }
        do {
            _ = try setting.checked(value)
            return nil
        } catch {
            return Finding("settings.values", .warning, "\(error) Until then it has no effect, or a wrong one.", app: app.id)
        }
    }
}
