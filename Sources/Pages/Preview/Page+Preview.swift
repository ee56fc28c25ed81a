import Linden

extension Page {
    /// The page for robots: the link's metadata as tags.
    package static func preview(of visit: VisitResult, url: String, in language: PageLanguage) -> Page {
        let tags = LinkTags(of: visit, url: url)
        let text = tags.description ?? language[.linkToApp].replacing("{app}", with: visit.app.app.name)
        var model = PageModel(title: tags.title, text: text, in: language)
        model.isIndexable = tags.isIndexable
        model.description = tags.description
        model.keywords = tags.keywords
        model.tags = tags.all
        model.icon = tags.icon
        model.canonical = tags.canonical
        model.structuredData = StructuredData(link: visit.link, url: url, routing: visit.app.routing).json
        return Page(model)
    }
}
