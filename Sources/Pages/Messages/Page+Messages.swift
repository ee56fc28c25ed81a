extension Page {
    package static let notFound = Page(
        PageModel(title: "This link leads nowhere", text: "It may have been mistyped, or whoever made it has taken it back."))

    package static let ended = Page(
        PageModel(title: "This link has ended", text: "It was made for a time, or for so many visits, and that is over."))

    /// A page that nobody looks at.
    package static let nothing = Page(PageModel(title: "", text: ""))

    package static let used = Page(
        PageModel(title: "This link has been used", text: "It was made to be used once. Ask whoever sent it to you for a new one."))

    /// Neither the link nor its app names a place for this visitor.
    package static func nowhere(_ content: LinkContent) -> Page {
        var model = PageModel(content)
        model.text = model.text ?? "This link opens in the app, which is not there for this device."
        return Page(model)
    }

    /// Something went wrong; the message is for the visitor.
    ///
    /// - Parameter back: where he can try again.
    package static func failure(_ message: String, back: String? = nil) -> Page {
        var model = PageModel(title: "This did not work", text: message)
        model.back = back
        return Page(model)
    }
}
