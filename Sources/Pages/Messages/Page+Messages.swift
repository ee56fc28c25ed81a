extension Page {
    /// - Parameter brand: the app whose domain it is; nil on other hosts.
    package static func notFound(_ brand: AppBrand? = nil, in language: PageLanguage) -> Page {
        message(language[.notFoundTitle], language[.notFoundText], brand, in: language)
    }

    package static func expired(_ brand: AppBrand? = nil, in language: PageLanguage) -> Page {
        message(language[.expiredTitle], language[.expiredText], brand, in: language)
    }

    /// For a one-time link that has had its session.
    package static func used(_ brand: AppBrand, in language: PageLanguage) -> Page {
        message(language[.usedTitle], language[.usedText], brand, in: language)
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
    /// - Parameters:
    ///   - text: what, in the page's language.
    ///   - back: where the visitor can try again.
    package static func failure(_ text: String, back: String? = nil, in language: PageLanguage) -> Page {
        var model = PageModel(title: language[.failedTitle], text: text, in: language)
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

    private static func message(_ title: String, _ text: String, _ brand: AppBrand?, in language: PageLanguage) -> Page {
        var model = PageModel(title: title, text: text, in: language)
        if let brand { model.show(brand) }
        return Page(model)
    }
}
