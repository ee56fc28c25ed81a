import Synchronization

extension Page {
    /// - Parameter brand: the app whose domain it is; nil on other hosts.
    package static func notFound(_ brand: AppBrand? = nil, in language: PageLanguage) -> Page {
        message(.notFoundTitle, .notFoundText, brand, in: language)
    }

    package static func expired(_ brand: AppBrand? = nil, in language: PageLanguage) -> Page {
        message(.expiredTitle, .expiredText, brand, in: language)
    }

    /// For a one-time link that has had its session.
    package static func used(_ brand: AppBrand, in language: PageLanguage) -> Page {
        message(.usedTitle, .usedText, brand, in: language)
    }

    /// Loaded into pages of others, where it is not shown.
    package static let empty = Page(PageModel(title: "", in: .english))

    /// Neither the link nor its app names a place for this visitor.
    package static func nowhere(_ content: LinkContent, stores: [StorePage], in language: PageLanguage) -> Page {
        var model = PageModel(content, in: language)
        model.text = model.text ?? language[.notAvailable]
        model.stores = PageModel.Stores(stores)
        return Page(model)
    }

    /// Something went wrong.
    ///
    /// - Parameter back: where the visitor can try again.
    package static func failure(_ text: PageText, back: String? = nil, in language: PageLanguage) -> Page {
        guard let back else { return message(.failedTitle, text, nil, in: language) }
        var model = PageModel(title: language[.failedTitle], text: language[text], in: language)
        model.back = back
        return Page(model)
    }

    /// Something is wrong with the request; the message is for its maker, in English.
    package static func failure(english message: String, back: String? = nil, in language: PageLanguage) -> Page {
        var model = PageModel(title: language[.failedTitle], text: message, in: language)
        model.textLanguage = PageLanguage.english.code
        model.back = back
        return Page(model)
    }

    private static func message(_ title: PageText, _ text: PageText, _ brand: AppBrand?, in language: PageLanguage) -> Page {
        var model = PageModel(title: language[title], text: language[text], in: language)
        if let brand {
            model.show(brand)
            return Page(model)
        }
        let message = Message(title: title, text: text, language: language.code)
        if let page = messages.withLock({ $0[message] }) { return page }
        let page = Page(model)
        messages.withLock { $0[message] = page }
        return page
    }

    /// A page that is the same for all visitors with one language.
    private struct Message: Hashable {
        let title: PageText
        let text: PageText
        let language: String
    }

    /// Each is rendered once: they answer floods, which must cost less to refuse than to serve.
    private static let messages = Mutex<[Message: Page]>([:])
}
