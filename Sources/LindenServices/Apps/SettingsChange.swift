import Linden
import LindenKernel

/// A change of an app's name and settings, requested by one of its sides.
///
/// Only the live side changes shared settings. The test side changes only its own: its key and secret are in test builds and on test
/// servers, so they must not affect the live app.
struct SettingsChange {
    let name: String?
    /// The changed settings. Null removes one; on the test side the live side's value applies again.
    let settings: JSONObject

    /// Fails with `invalid` for too many settings, or too large ones.
    init(name: String?, settings: JSONObject) throws(Failure) {
        try AppConfiguration.checkChange(settings)
        self.name = name
        self.settings = settings
    }

    /// Returns the changed app. Fails with `forbidden` if the test side would change a shared value. Sending a shared value unchanged is
    /// allowed.
    func apply(to app: App, by mode: Mode) throws -> App {
        var changed = app
        guard mode == .test else {
            if let name { changed.name = name }
            changed.configuration = try app.configuration.merging(settings)
            return changed
        }
        if let name, name != app.name { throw Failure.sharedSetting("app_name") }
        let shared = settings.filter { key, _ in AppSetting.isShared(key) }
        let proposed = shared.isEmpty ? app.configuration : try app.configuration.merging(shared)
        for key in shared.keys where proposed.text(key) != app.configuration.text(key) {
            throw Failure.sharedSetting(key)
        }
        changed.testConfiguration = try app.testConfiguration.merging(settings.filter { key, _ in !AppSetting.isShared(key) })
        return changed
    }
}

extension AppConfiguration {
    /// The canonical text of a stored value, as in responses.
    fileprivate func text(_ key: String) -> String? {
        guard let value = values[key] else { return nil }
        return value.scalarText ?? String(decoding: value.bytes, as: UTF8.self)
    }
}

extension Failure {
    fileprivate static func sharedSetting(_ name: String) -> Failure {
        Failure(.forbidden, "\(name) is shared by the app's live and test sides: change it with the live key and its secret.")
    }
}
