import LindenKernel

/// What the visitor of an analytics record used: for a click according to the browser, otherwise what is known of the device.
package struct ActivityVisitor: Sendable, Hashable {
    /// The operating system according to the SDK or the browser's user agent; nil if unknown.
    package let os: String?
    /// The identifier of the in-app browser, otherwise of the browser; nil if unknown.
    package let browser: String?
    /// The language, possibly with its region; nil if unknown.
    package let language: String?
    /// The host of the page with the link, for clicks; nil if unknown.
    package let referrer: String?

    package init(os: String? = nil, browser: String? = nil, language: String? = nil, referrer: String? = nil) {
        self.os = os
        self.browser = browser
        self.language = language
        self.referrer = referrer
    }

    /// Compares bytes, as the database does.
    package static func == (one: ActivityVisitor, other: ActivityVisitor) -> Bool {
        one.os.hasSameBytes(as: other.os) && one.browser.hasSameBytes(as: other.browser)
            && one.language.hasSameBytes(as: other.language) && one.referrer.hasSameBytes(as: other.referrer)
    }

    package func hash(into hasher: inout Hasher) {
        os.hashBytes(into: &hasher)
        browser.hashBytes(into: &hasher)
        language.hashBytes(into: &hasher)
        referrer.hashBytes(into: &hasher)
    }

    /// See ``Dimension/language``.
    var primaryLanguage: String { language?.prefix { $0 != "-" && $0 != "_" }.uppercased() ?? "" }
}
