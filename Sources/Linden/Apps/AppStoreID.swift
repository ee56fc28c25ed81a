import LinkRouting

/// An app's numeric id in the App Store.
package struct AppStoreID: Sendable, Equatable {
    package let digits: String

    /// Parses the number alone, `id123456789` as in App Store URLs, or such a URL. Nil for anything else.
    package init?(_ text: String) {
        let parts = URLParts(text)
        let isPage = ["apps.apple.com", "itunes.apple.com"].contains(parts.host)
        let words = isPage ? parts.path.split(separator: "/").filter { $0.hasPrefix("id") } : [text[...]]
        guard words.count == 1, let match = words[0].wholeMatch(of: /(?i:id)?([1-9][0-9]{0,18})/) else { return nil }
        digits = String(match.1)
    }

    /// The URL of the app's page.
    package var url: String { "https://apps.apple.com/app/id\(digits)" }
}

extension AppConfiguration {
    /// The setting `ios_app_store_id`; nil also if its value is not a valid id.
    package var appStoreID: AppStoreID? { self["ios_app_store_id"].flatMap(AppStoreID.init) }
}
