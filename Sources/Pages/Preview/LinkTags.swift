import Linden
import LindenKernel
import LinkRouting

/// A link's metadata for other programs: Open Graph and Twitter tags for link previews, App Links tags for apps that open other apps
/// (ogp.me; developer.x.com, "Cards markup"; applinks.org).
///
/// The values are untrusted text from the link's creator; the page cuts and escapes them.
struct LinkTags {
    private let visit: VisitResult
    private let url: String

    private var app: AppContext { visit.app }

    private let customTags: JSONObject

    init(of visit: VisitResult, url: String) {
        self.visit = visit
        let (tags, routing) = (visit.link.data.customMetaTags, visit.app.routing)
        customTags = visit.link.isLong ? tags.filter { _, value in value.scalarText.map { routing.mayShow($0) } ?? false } : tags
        self.url = url
    }

    var title: String { value("$og_title") ?? setting("og_title") ?? app.app.name }
    var description: String? { value("$og_description") ?? setting("og_description") }
    var keywords: String? {
        let said = visit.link.data["$keywords"] ?? visit.object["$keywords"]
        let words = said?.array?.prefix(LinkSizeLimits.keywords).compactMap(\.scalarText) ?? [said?.scalarText].compactMap { $0 }
        return words.isEmpty ? nil : words.joined(separator: ", ").pageText
    }

    /// Whether search engines may list the page: not if the content forbids it (`$publicly_indexable`) or has expired (`$exp_date`).
    var isIndexable: Bool {
        let isPublic = !["false", "0", "no"].contains(value("$publicly_indexable")?.switchWord)
        let end = value("$exp_date").flatMap { Int64($0) } ?? 0
        return isPublic && (end <= 0 || end > visit.time.milliseconds)
    }

    var all: [PageModel.Tag] { (openGraph + twitter + appLinks + custom).fitting }

    /// The icon's URL from the custom tag `apple_touch_icon`, which is rendered as a link element, not as a tag.
    var icon: String? { customTags["apple_touch_icon"]?.scalarText.flatMap { LinkTags.isWeb($0) ? $0.pageURL : nil } }

    /// The URL of the content's own web page (`$canonical_url`); nil if it is not http or https, or disallowed.
    var canonical: String? { address("$canonical_url").flatMap { LinkTags.isWeb($0) ? $0 : nil } }

    private var openGraph: [PageModel.Tag] {
        tags([
            ("og:title", title), ("og:url", address("$og_url") ?? url), ("og:type", value("$og_type")),
            ("og:description", description), ("og:image", image), ("og:image:width", value("$og_image_width")),
            ("og:image:height", value("$og_image_height")), ("og:video", address("$og_video")), ("og:site_name", app.app.name),
            ("fb:app_id", value("$og_app_id")),
        ])
    }

    private var twitter: [PageModel.Tag] {
        tags([
            ("twitter:card", value("$twitter_card") ?? (image == nil ? "summary" : "summary_large_image")),
            ("twitter:title", value("$twitter_title") ?? title),
            ("twitter:description", value("$twitter_description") ?? description),
            ("twitter:image", stored("$twitter_image_url")?.pageURL ?? image), ("twitter:site", value("$twitter_site")),
            ("twitter:app:country", value("$twitter_app_country")),
            ("twitter:player", address("$twitter_player") ?? address("$og_video")),
            ("twitter:player:width", value("$twitter_player_width")), ("twitter:player:height", value("$twitter_player_height")),
        ])
    }

    /// App Links tags with the app's own scheme and path. No parameters are added as a query, which the iOS App Links client drops.
    /// `al:web:should_fallback` is omitted, because its specification and its clients interpret it in opposite ways.
    private var appLinks: [PageModel.Tag] {
        let settings = app.app.configuration
        return tags([
            ("al:ios:url", uri(on: .iOS)), ("al:ios:app_store_id", settings.appStoreID?.digits),
            ("al:ios:app_name", uri(on: .iOS) == nil ? nil : app.app.name),
            ("al:android:url", uri(on: .android)), ("al:android:package", settings["android_package_name"]),
            ("al:android:app_name", settings["android_package_name"] == nil ? nil : app.app.name),
            ("al:web:url", webURL),
        ])
    }

    /// Custom tags, without `al:` tags: links' creators must not decide which apps are opened. Long links are not validated when created,
    /// so the number of tags is limited here.
    private var custom: [PageModel.Tag] {
        tags(
            customTags.lazy.filter { key, _ in key != "apple_touch_icon" && !key.lowercased().hasPrefix("al:") }
                .prefix(LinkSizeLimits.customMetaTags).map { ($0.key, $0.value.scalarText?.pageText) })
    }

    var image: String? { stored("$og_image_url")?.pageURL ?? app.app.configuration["og_image_url"] }

    private func uri(on platform: Platform) -> String? {
        visit.parameters.appLink(on: platform, app.routing).map { PercentCoding.encodeIllegal($0.scheme + "://" + $0.path) }
    }

    private var webURL: String? {
        ["$canonical_url", "$fallback_url", "$desktop_url"].lazy.compactMap(address).first(where: LinkTags.isWeb)
            ?? app.routing.defaultURL
    }

    /// Whether a value is an http or https URL, which is safe in a page; never a script.
    static func isWeb(_ url: String) -> Bool { ["http", "https"].contains(URLParts(url).scheme) }

    /// Returns a text that may be cut, see ``stored(_:)``.
    private func value(_ key: String) -> String? { stored(key)?.pageText }

    /// Returns the value of a key: appended to the link, else stored in it, else recorded for its content.
    private func stored(_ key: String) -> String? {
        visit.parameters[key] ?? visit.object[key]?.scalarText.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns a URL that the app's links may lead to; readers of the tags may go there.
    private func address(_ key: String) -> String? {
        stored(key).flatMap { app.routing.allows($0) ? $0.pageURL : nil }
    }

    private func setting(_ key: String) -> String? { app.app.configuration[key]?.pageText }

    private func tags(_ pairs: some Sequence<(String, String?)>) -> [PageModel.Tag] {
        pairs.compactMap { name, content in content.map { PageModel.Tag(property: name, content: $0) } }
    }
}
