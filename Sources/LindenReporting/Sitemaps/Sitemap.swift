import LindenKernel

/// A sitemap: the pages of a host that search engines may list (sitemaps.org, "Protocol").
package struct Sitemap: Sendable {
    package struct Page: Sendable, Equatable {
        package let url: String
        package let modifiedAt: Timestamp

        package init(url: String, modifiedAt: Timestamp) {
            self.url = url
            self.modifiedAt = modifiedAt
        }
    }

    package static let maximumPages = 50_000
    /// The protocol allows 50 MiB; pages with addresses of 200 bytes need 10.
    package static let maximumBytes = 12 << 20
    private static let maximumURLBytes = 2047

    /// The pages by priority: those beyond the protocol's limits are left out.
    private let pages: [Page]

    package init(_ pages: [Page]) {
        self.pages = pages
    }

    /// The sitemap in UTF-8.
    package var xml: [UInt8] {
        let end = Array("</urlset>\n".utf8)
        var xml = Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">

            """.utf8)
        for page in pages.prefix(Sitemap.maximumPages) where page.url.utf8.count <= Sitemap.maximumURLBytes {
            let entry = "<url><loc>\(page.url.xmlEscaped)</loc><lastmod>\(page.modifiedAt.iso8601)</lastmod></url>\n".utf8
            guard xml.count + entry.count + end.count <= Sitemap.maximumBytes else { break }
            xml += entry
        }
        return xml + end
    }
}

extension String {
    /// The text with XML's five special characters escaped.
    fileprivate var xmlEscaped: String {
        guard utf8.contains(where: "&<>\"'".utf8.contains) else { return self }
        var escaped: [UInt8] = []
        for byte in utf8 {
            switch Unicode.Scalar(byte) {
            case "&": escaped += "&amp;".utf8
            case "<": escaped += "&lt;".utf8
            case ">": escaped += "&gt;".utf8
            case "\"": escaped += "&quot;".utf8
            case "'": escaped += "&apos;".utf8
            default: escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
