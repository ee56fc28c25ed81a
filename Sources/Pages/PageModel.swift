/// What the one page template shows; a part that is nil is left out. The template escapes every value but the styles, the script and
/// the drawing, which are ours, and the structured data, which come escaped.
struct PageModel {
    struct Tag {
        let property: String
        let content: String
    }

    /// A form that asks for a phone number.
    struct Form {
        let action: String
        let branchKey: String
    }

    /// A heading with names and values.
    struct Section {
        struct Row {
            let name: String
            let value: String
        }

        let heading: String
        let rows: [Row]
    }

    /// A heading with a text, and what the text is about.
    struct Part {
        let heading: String
        let explanation: String
        var commands: String?
        var link: String?
    }

    /// The stores that have the app.
    struct Stores {
        let pages: [StorePage]
    }

    // What the page is written in.
    /// For the attribute `lang`.
    let language: String
    /// By the names of ``PageText``.
    let texts: [String: String]

    // What machines read.
    /// Only a page about a link is for search engines.
    var isIndexable = false
    var description: String?
    var keywords: String?
    var tags: [Tag] = []
    var icon: String?
    /// Where the content has a page of its own, which search engines may list instead.
    var canonical: String?
    /// JSON-LD, fit to stand in a script element as it is; see ``StructuredData``.
    var structuredData: String?

    // What people see, from top to bottom.
    var hasBrand = false
    /// The app's name, and the letter that stands for its icon.
    var brandName: String?
    var initial: String?
    /// On the web. This and `image` are all that a page loads.
    var brandIcon: String?
    /// On the web.
    var image: String?
    var title: String
    var text: String?
    /// The language of `text` where it is not the page's.
    var textLanguage: String?
    /// What the page opens by itself: the app, or `fallback` for where the fallback leads.
    var opensAtOnce: String?
    var isDesktop = false
    /// Where the page tells what device it is on.
    var report: String?
    var busy: String
    /// Where the button leads that puts `copied` onto the clipboard.
    var copyTo: String?
    var copied: String?
    var appURI: String?
    /// Where the page goes once the app has opened.
    var after: String?
    var fallback: String?
    /// Milliseconds until the page goes there by itself, once it has tried the app.
    var timeout = 0
    var fallbackLabel: String
    /// Where the link is.
    var back: String?
    /// A QR code, as SVG.
    var code: String?
    /// The link, written out.
    var address: String?
    var form: Form?
    var stores: Stores?
    var sections: [Section] = []
    var parts: [Part] = []

    var script: String?
    let style = PageModel.style
    /// The app's own colours, in place of those of `style`.
    var brandStyle: String?

    static let style = String(decoding: PackageResources.style_css, as: UTF8.self)
    static let openScript = String(decoding: PackageResources.open_js, as: UTF8.self)

    init(title: String, text: String? = nil, in language: PageLanguage) {
        self.language = language.code
        texts = language.texts
        self.title = title
        self.text = text
        busy = language[.openingApp]
        fallbackLabel = language[.continueOnWeb]
    }
}
