import Linden
import LinkRouting

/// A link's content as shown to visitors: the link's own title, description and image, else the app's.
package struct LinkContent: Sendable {
    package let brand: AppBrand
    package let title: String
    package let description: String?
    /// An http or https URL.
    package let image: String?

    package init(of visit: VisitResult) {
        let tags = LinkTags(of: visit, url: "")
        brand = AppBrand(visit.app.app)
        title = Self.shortened(tags.title, to: 120)
        description = tags.description.map { Self.shortened($0, to: 300) }
        image = tags.image.flatMap { LinkTags.isWeb($0) ? PercentCoding.encodeIllegal($0) : nil }
    }
}

extension LinkContent {
    /// Truncates a text to a number of characters, the last of them an ellipsis; pages are read on phones and must stay small.
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
