import Linden

extension Page {
    /// What a robot sees: what the link is about, as tags.
    package static func preview(of link: Link, app: AppContext, url: String) -> Page {
        let tags = LinkTags(of: link, app: app, url: url)
        var model = PageModel(title: tags.title, text: tags.description ?? "A link to \(app.app.name).")
        model.isIndexable = tags.isIndexable
        model.description = tags.description
        model.keywords = tags.keywords
        model.tags = tags.all
        model.icon = tags.icon
        model.structuredData = StructuredData(link: link, url: url).json
        return Page(model)
    }
}

extension Link {
    /// What the link is about, in the words of whoever made it.
    package var title: String? {
        let title = data["$og_title"]?.scalarText
        return title?.isEmpty == false ? title : nil
    }
}
