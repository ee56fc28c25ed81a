import HTTPTypes
import Hummingbird

/// The headers of a visit, read in one pass: most of them are absent, and a lookup of each would cost more than the routing of the visit.
/// For texts, the first header of a name counts; of values that are searched, only the first ``longest`` bytes are.
struct VisitHeaders {
    private(set) var userAgent: String?
    private(set) var referrer: String?
    private(set) var acceptLanguage: String?
    private(set) var hasCookies = false
    private(set) var hasClientHints = false
    /// See ``Request/isForwarded``.
    private(set) var isForwarded = false
    /// Whether the browser declares the request a prefetch, prerender or preview.
    private(set) var isFetchedAhead = false
    /// See ``Request/isNavigation``.
    private(set) var isNavigation = true
    /// Whether the client asks for a page's App Links tags (applinks.org). Apps that open other apps do so first, and follow the tags.
    private(set) var wantsTags = false

    init(_ fields: HTTPFields) {
        for field in fields {
            switch field.name.canonicalName {
            case "user-agent": userAgent = userAgent ?? field.value
            case "referer": referrer = referrer ?? field.value
            case "accept-language": acceptLanguage = acceptLanguage ?? field.value
            case "cookie": hasCookies = true
            case "x-forwarded-for", "forwarded": isForwarded = true
            case "sec-fetch-dest": isNavigation = isNavigation && Request.isNavigation(to: field.value)
            case "sec-purpose", "purpose", "x-purpose", "x-moz": isFetchedAhead = isFetchedAhead || Self.isAhead(field.value)
            case "prefer-html-meta-tags": wantsTags = wantsTags || Self.namesTags(field.value)
            case let name where name.hasPrefix("sec-ch-ua"): hasClientHints = true
            default: break
            }
        }
    }

    private static func isAhead(_ purpose: String) -> Bool {
        ["prefetch", "prerender", "preview"].contains(where: shortened(purpose).lowercased().contains)
    }

    private static func namesTags(_ value: String) -> Bool {
        value.utf8.prefix(longest).split(separator: UInt8(ascii: ",")).contains {
            $0.drop { $0 == UInt8(ascii: " ") }.starts(with: "al".utf8)
        }
    }

    private static let longest = 1024

    /// Returns the first ``longest`` bytes of a header's value.
    static func shortened(_ value: String) -> String {
        value.utf8.count <= longest ? value : String(decoding: value.utf8.prefix(longest), as: UTF8.self)
    }
}
