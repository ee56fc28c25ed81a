import Linden
import LinkRouting

/// What a link is about, for people: in the words of its maker, else the app's.
package struct LinkContent: Sendable {
    package let brand: AppBrand
    package let title: String
    package let description: String?
    /// An address on the web.
    package let image: String?

    package init(of visit: Redirection) {
        let tags = LinkTags(of: visit, url: "")
        brand = AppBrand(visit.app.app)
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
    init(_ content: LinkContent, in language: PageLanguage) {
        self.init(title: content.title, text: content.description, in: language)
        show(content.brand)
    }
}
