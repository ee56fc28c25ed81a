import LindenKernel
import Synchronization

extension Page {
    /// Returns the page with a title and a text that is the same for all visitors with one language. It is rendered once: such pages answer
    /// floods of invalid requests, and refusing must cost less than serving.
    ///
    /// - Parameters:
    ///   - brand: the app whose brand the page shows; nil for none.
    ///   - complete: adds what the page always shows beside title and text.
    static func common(
        _ title: PageText, _ text: PageText, _ brand: AppBrand? = nil, in language: PageLanguage,
        completedBy complete: (inout PageModel) -> Void
    ) -> Page {
        let key = Key(title: title, text: text, brand: brand, language: language.code)
        if let page = pages.withLock({ $0.value(for: key) }) { return page }
        var model = PageModel(title: language[title], text: language[text], in: language)
        complete(&model)
        let page = Page(model)
        pages.withLock { $0.insert(page, for: key) }
        return page
    }

    private struct Key: Hashable {
        let title: PageText
        let text: PageText
        let brand: AppBrand?
        let language: String
    }

    /// Some 4 KB each.
    private static let pages = Mutex(TwoGenerationCache<Key, Page>(capacity: 512))
}
