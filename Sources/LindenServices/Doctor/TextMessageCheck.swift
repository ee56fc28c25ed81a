import Linden
import LindenKernel

/// The doctor's check of whose words text messages may have.
enum TextMessageCheck {
    static func findings(on app: App) -> [Finding] {
        let setting = AppSetting.customText
        guard app.configuration[setting] == "all" else { return [] }
        return [
            Finding(
                setting, .warning,
                "\(setting) is all: anyone with the public key of \(app.name) can have text messages with words of their own sent in your name.",
                remedy: Remedy(
                    "To send only those of links that you made", .set(setting, to: "authenticated", app: String(app.id.rawValue))),
                app: app.id)
        ]
    }
}
