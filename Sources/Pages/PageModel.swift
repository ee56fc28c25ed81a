/// The values of the page template; a part that is nil is left out. ``TemplateValues`` escapes every value except the styles, the script and
/// the QR code, which Linden generates, and the structured data, which are escaped already.
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

    /// A heading with a table of names and values.
    struct Section {
        struct Row {
            let name: String
            let value: String
        }

        let heading: String
        let rows: [Row]
    }

    /// A heading with an explanation, and commands or a link that it is about.
    struct Part {
        let heading: String
        let explanation: String
        var commands: String?
        var link: String?
    }

    /// Buttons for the app's pages in stores.
    struct Stores {
        let pages: [StorePage]
    }

    // Language.
    /// The value of the attribute `lang`.
    let language: String
    /// The texts by key, see ``PageText``.
    let texts: [String: String]

    // Metadata for search engines and other programs.
    /// Whether search engines may index the page; true only for pages about a link.
    var isIndexable = false
    var description: String?
    var keywords: String?
    var tags: [Tag] = []
    var icon: String?
    /// The content's own web page, which search engines may list instead.
    var canonical: String?
    /// JSON-LD, safe to embed in a script element; see ``StructuredData``.
    var structuredData: String?

    // Visible parts, from top to bottom.
    var hasBrand = false
    /// The app's name, and the initial shown in place of a missing icon.
    var brandName: String?
    var initial: String?
    /// The icon's URL. This and `image` are the only external resources of a page.
    var brandIcon: String?
    /// The URL of the content's image.
    var image: String?
    var title: String
    var text: String?
    /// The language of `text` where it differs from the page's.
    var textLanguage: String?
    /// The target that the page opens automatically: the app's URI, or `fallback` for the fallback's URL.
    var opensAtOnce: String?
    var isDesktop = false
    /// The URL that the page reports its device to.
    var report: String?
    var busy: String
    /// The URL of the button that copies `copied` to the clipboard.
    var copyTo: String?
    var copied: String?
    var appURI: String?
    /// The URL that the page goes to once the app has opened.
    var after: String?
    var fallback: String?
    /// Milliseconds after trying the app until the page goes to `fallback`.
    var timeout = 0
    var fallbackLabel: String
    /// The URL of the link, to go back to it.
    var back: String?
    /// The link's QR code as SVG.
    var code: String?
    /// The link's URL, shown as text.
    var address: String?
    var form: Form?
    var stores: Stores?
    var sections: [Section] = []
    var parts: [Part] = []

    var script: String?
    let style = PageModel.style
    /// The CSS of the app's own colours, which overrides `style`.
    var brandStyle: String?

    static let style = String(decoding: PackageResources.style_css, as: UTF8.self)
    static let openScript = String(decoding: PackageResources.open_js, as: UTF8.self)

    init(title: String, text: String? = nil, in language: PageLanguage) {
        self.language = language.code
        texts = language.texts
        self.title = title.pageText
        self.text = text?.pageText
        busy = language[.openingApp]
        fallbackLabel = language[.continueOnWeb]
    }
}
