extension Page {
    /// - Parameter brand: the app that the domain belongs to; nil on other hosts.
    package static func notFound(_ brand: AppBrand? = nil, in language: PageLanguage) -> Page {
        message(.notFoundTitle, .notFoundText, brand, in: language)
    }

    package static func expired(_ brand: AppBrand? = nil, in language: PageLanguage) -> Page {
        message(.expiredTitle, .expiredText, brand, in: language)
    }

    /// The page of a one-time link that was consumed.
    package static func used(_ brand: AppBrand, in language: PageLanguage) -> Page {
        message(.usedTitle, .usedText, brand, in: language)
    }

    /// An empty page, for requests that other sites' pages embed invisibly.
    package static let empty = Page(PageModel(title: "", in: .english))

    /// The page where neither the link nor its app has a destination for the visitor.
    package static func nowhere(_ content: LinkContent, stores: [StorePage], in language: PageLanguage) -> Page {
        var model = PageModel(content, in: language)
        model.text = model.text ?? language[.notAvailable]
        model.stores = PageModel.Stores(stores)
        return Page(model)
    }

    /// An error page in the visitor's language.
    ///
    /// - Parameter back: the URL at which the visitor can try again.
    package static func failure(_ text: PageText, back: String? = nil, in language: PageLanguage) -> Page {
        guard let back else { return message(.failedTitle, text, nil, in: language) }
        var model = PageModel(title: language[.failedTitle], text: language[text], in: language)
        model.back = back
        return Page(model)
    }

    /// An error page about an invalid request; the message is for its developer, in English.
    package static func failure(english message: String, back: String? = nil, in language: PageLanguage) -> Page {
        var model = PageModel(title: language[.failedTitle], text: message, in: language)
        model.textLanguage = PageLanguage.english.code
        model.back = back
        return Page(model)
    }

    private static func message(_ title: PageText, _ text: PageText, _ brand: AppBrand?, in language: PageLanguage) -> Page {
        common(title, text, brand, in: language) {
            if let brand { $0.show(brand) }
        }
    }
}
