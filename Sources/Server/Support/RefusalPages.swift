import LindenKernel
import Pages
import Synchronization

/// The pages that tell browsers of exceeded limits. Each is rendered once: refusing a request is to cost less than answering it.
enum RefusalPages {
    /// Messages differ by the limit and the seconds until a retry.
    private static let pages = Mutex(TwoGenerationCache<String, Page>(capacity: 256))

    static func page(saying message: String, in language: PageLanguage) -> Page {
        let key = language.code + " " + message
        if let page = pages.withLock({ $0.value(for: key) }) { return page }
        let page = Page.failure(english: message, in: language)
        pages.withLock { $0.insert(page, for: key) }
        return page
    }
}
