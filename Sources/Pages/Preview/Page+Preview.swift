import Linden

extension Page {
    /// What a robot sees: the link's title, description and image as Open Graph tags.
    package static func preview(of link: Link, appName: String, url: String) -> Page {
        let title = link.title ?? appName
        let description = link.data["$og_description"]?.scalarText
        var tags = [PageModel.Tag(property: "og:title", content: title), PageModel.Tag(property: "og:url", content: url)]
        if let description { tags.append(PageModel.Tag(property: "og:description", content: description)) }
        if let image = link.data["$og_image_url"]?.string { tags.append(PageModel.Tag(property: "og:image", content: image)) }
        return Page(PageModel(title: title, text: description ?? "A link to \(appName).", tags: tags))
    }
}

extension Link {
    /// What the link is about, in the words of whoever made it.
    package var title: String? {
        let title = data["$og_title"]?.scalarText
        return title?.isEmpty == false ? title : nil
    }
}
