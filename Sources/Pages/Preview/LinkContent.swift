import Linden
import LinkRouting

/// What a link is about, for people: in the words of whoever made it, else the app's.
package struct LinkContent: Sendable {
    package let appName: String
    package let title: String
    package let description: String?
    /// An address on the web.
    package let image: String?

    package init(of visit: Redirection) {
        let tags = LinkTags(of: visit, url: "")
        appName = visit.app.app.name
        title = Self.shortened(tags.title, to: 120)
        description = tags.description.map { Self.shortened($0, to: 300) }
        image = tags.image.flatMap { LinkTags.isWeb($0) ? PercentCoding.encodeIllegal($0) : nil }
    }
}

extension LinkContent {
    /// In characters: a page is read on a phone, and weighs little.
    private static func shortened(_ text: String, to length: Int) -> String {
        text.count <= length ? text : text.prefix(length - 1) + "…"
    }
}

extension PageModel {
    init(_ content: LinkContent) {
        self.init(title: content.title, text: content.description)
        guard content.title != content.appName else { return }
        brand = content.appName
        initial = String(content.appName.prefix(1)).uppercased()
    }
}
