import Linden
import LinkRouting

/// What a link is about, for people: in the words of whoever made it, else the app's.
package struct LinkContent: Sendable {
    package let appName: String
    package let title: String
    package let description: String?
    /// An address on the web.
    package let image: String?

    package init(of link: Link, app: AppContext) {
        let tags = LinkTags(of: link, app: app, url: "")
        appName = app.app.name
        title = tags.title
        description = tags.description
        image = tags.image.flatMap { LinkTags.isWeb($0) ? PercentCoding.encodeIllegal($0) : nil }
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
