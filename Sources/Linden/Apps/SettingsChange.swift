/// A change of an app's name and settings by one of its sides.
///
/// The live side changes what both sides share. The test side has only settings of its own: its key and secret are in test builds and
/// on test servers, so they must not change what the live app does.
struct SettingsChange {
    let name: String?
    /// Null removes a setting; on the test side the live side's holds again.
    let settings: JSONObject

    /// Fails with `forbidden` where the test side would change what is shared. A shared value sent as it is changes nothing.
    func apply(to app: App, by mode: Mode) throws -> App {
        var changed = app
        guard mode == .test else {
            if let name { changed.name = name }
            changed.configuration = try app.configuration.merging(settings)
            return changed
        }
        if let name, name != app.name { throw Failure.sharedSetting("app_name") }
        for (key, value) in settings where AppSetting.isShared(key) {
            guard try app.configuration.merging([key: value]).text(key) == app.configuration.text(key) else {
                throw Failure.sharedSetting(key)
            }
        }
        changed.testConfiguration = try app.testConfiguration.merging(settings.filter { key, _ in !AppSetting.isShared(key) })
        return changed
    }
}

extension AppConfiguration {
    /// A stored value in the one form in which answers show it.
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
