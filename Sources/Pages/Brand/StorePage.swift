import LinkRouting

/// An app's page in a store, shown as a button with the store's name.
package struct StorePage: Sendable {
    let store: String
    let url: String

    /// Nil for a URL that is not in a store.
    package init?(_ url: String) {
        guard let store = Self.store(of: url) else { return nil }
        self.store = store
        self.url = url
    }

    /// Returns the name of the store that a URL belongs to; nil if none.
    static func store(of url: String) -> String? {
        let parts = URLParts(url)
        return switch (parts.scheme, parts.host) {
        case ("itms-apps", _), (_, "apps.apple.com"), (_, "itunes.apple.com"): "App Store"
        case ("market", _), (_, "play.google.com"): "Google Play"
        default: nil
        }
    }
}
