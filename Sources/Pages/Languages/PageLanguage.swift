import LindenKernel

/// A language of pages. Its texts are a JSON object with the keys of ``PageText``: `Languages/<code>.json`.
///
/// To add a language, write that file and name it in `Package.swift` and in ``all``. A test checks that no text is missing.
package struct PageLanguage: Sendable {
    /// The code in `Accept-Language` and in the attribute `lang`, such as `de`.
    package let code: String
    /// The texts by key; the page template reads them, too.
    package let texts: [String: String]

    package static let english = PageLanguage("en", PackageResources.en_json)

    package static let all = [
        english, PageLanguage("de", PackageResources.de_json), PageLanguage("fr", PackageResources.fr_json),
        PageLanguage("es", PackageResources.es_json), PageLanguage("pt", PackageResources.pt_json),
        PageLanguage("ja", PackageResources.ja_json),
    ]

    package subscript(text: PageText) -> String { texts[text.rawValue] ?? "" }

    private init(_ code: String, _ file: [UInt8]) {
        guard let texts = try? JSON.parse(file).object else {
            preconditionFailure("the embedded texts in the language \(code) are not a JSON object")
        }
        self.code = code
        self.texts = Dictionary(texts.map { ($0.key, $0.value.string ?? "") }, uniquingKeysWith: { $1 })
    }
}

extension PageLanguage {
    /// Returns the language among ``all`` that a browser prefers; English if it accepts none of them (RFC 9110, 12.5.4).
    package static func preferred(by acceptLanguage: String?) -> PageLanguage {
        var best: (language: PageLanguage, quality: Double)?
        for range in (acceptLanguage ?? "").split(separator: ",", maxSplits: mostRanges).prefix(mostRanges) {
            let parts = range.split(separator: ";")
            guard let code = Language.primary(String(parts.first ?? "")), let language = all.first(where: { $0.code == code })
            else {
                continue
            }
            let quality = quality(parts.dropFirst())
            if quality > best?.quality ?? 0 { best = (language, quality) }
        }
        return best?.language ?? english
    }

    /// The maximum number of language ranges that are read; browsers send about five.
    private static let mostRanges = 20

    /// The quality value of a language range: 1 by default, 0 means not acceptable.
    private static func quality(_ parameters: ArraySlice<Substring>) -> Double {
        let texts = parameters.map { $0.filter { $0 != " " }.lowercased() }
        guard let text = texts.first(where: { $0.hasPrefix("q=") }) else { return 1 }
        return Double(text.dropFirst(2)) ?? 0
    }
}
