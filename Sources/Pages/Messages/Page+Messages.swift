extension Page {
    package static let notFound = Page(
        PageModel(title: "This link leads nowhere", text: "It may have been mistyped, or whoever made it has taken it back."))

    package static let ended = Page(
        PageModel(title: "This link has ended", text: "It was made for a time, or for so many visits, and that is over."))

    /// A page that nobody looks at.
    package static let nothing = Page(PageModel(title: "", text: ""))

    /// Neither the link nor its app names a place for this visitor.
    package static func nowhere(title: String) -> Page {
        Page(PageModel(title: title, text: "This link opens in the app. Please open it on your phone."))
    }

    /// Something went wrong; the message is for the visitor.
    package static func failure(_ message: String) -> Page {
        Page(PageModel(title: "This did not work", text: message))
    }
}
