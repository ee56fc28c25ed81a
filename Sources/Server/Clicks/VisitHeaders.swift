import HTTPTypes
import Hummingbird
import NIOHTTP1

/// The headers of a visit, read in one pass: most of them are absent, and a lookup of each would cost more than the routing of the visit.
/// For texts, the first header of a name counts; of values that are searched, only the first bytes are (``longestPurpose``, ``longest``).
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
    /// `Host`, which HTTPTypes has outside of the headers.
    private(set) var authority: String?
    private(set) var forwardedScheme: String?
    /// What may name the request in the request log, see ``LoggedRequestID``.
    private(set) var requestID: String?
    private(set) var traceParent: String?
    private(set) var hasOrigin = false
    /// Whether a body follows, or the client waits to be asked for it.
    private(set) var announcesBody = false
    /// Whether no value begins or ends in white space, which HTTPTypes removes.
    private(set) var isRegular = true
    /// Bytes of all names and values.
    private(set) var byteCount = 0

    /// Without ``byteCount`` and ``isRegular``, which only requests that are read as bytes need.
    init(_ fields: HTTPFields) {
        for field in fields { read(field.value, of: field.name.canonicalName) }
    }

    init(_ headers: HTTPHeaders) {
        for (name, value) in headers {
            byteCount += name.utf8.count + value.utf8.count
            if let first = value.utf8.first, let last = value.utf8.last, Self.isSpace(first) || Self.isSpace(last) {
                isRegular = false
            }
            read(value, of: name)
        }
    }

    /// Names are distinguished by their length first, since comparing each with all others takes longer.
    private mutating func read(_ value: String, of name: String) {
        switch name.utf8.count {
        case 4 where name.isHeader("host"): authority = authority ?? value
        case 5 where name.isHeader("x-moz"): readPurpose(value)
        case 6 where name.isHeader("cookie"): hasCookies = true
        case 6 where name.isHeader("origin"): hasOrigin = true
        case 6 where name.isHeader("expect"): announcesBody = true
        case 7 where name.isHeader("referer"): referrer = referrer ?? value
        case 7 where name.isHeader("purpose"): readPurpose(value)
        case 9 where name.isHeader("x-purpose"): readPurpose(value)
        case 10 where name.isHeader("user-agent"): userAgent = userAgent ?? value
        case 11 where name.isHeader("sec-purpose"): readPurpose(value)
        case 11 where name.isHeader("traceparent"): traceParent = traceParent ?? value
        case 12 where name.isHeader("x-request-id"): requestID = requestID ?? value
        case 14 where name.isHeader("sec-fetch-dest"): isNavigation = isNavigation && Request.isNavigation(to: value)
        case 14 where name.isHeader("content-length"): announcesBody = announcesBody || value != "0"
        case 15 where name.isHeader("accept-language"): acceptLanguage = acceptLanguage ?? value
        case 15 where name.isHeader("x-forwarded-for"): isForwarded = true
        case 17 where name.isHeader("x-forwarded-proto"): forwardedScheme = forwardedScheme ?? value
        case 17 where name.isHeader("transfer-encoding"): announcesBody = true
        case 21 where name.isHeader("prefer-html-meta-tags"): wantsTags = wantsTags || Self.namesTags(value)
        case 9... where name.isHeader("sec-ch-ua", prefix: true): hasClientHints = true
        default: break
        }
    }

    private mutating func readPurpose(_ value: String) {
        isFetchedAhead = isFetchedAhead || Self.isAhead(value)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// Compares bytes: a client may send a hundred of these headers, of any characters.
    private static func isAhead(_ purpose: String) -> Bool {
        // Makes letters lower-case. Other bytes may change too, but to none that is in these words.
        let bytes = purpose.utf8.prefix(longestPurpose).map { $0 | 0x20 }
        return bytes.indices.contains { index in purposes.contains { bytes[index...].starts(with: $0.utf8) } }
    }

    private static let purposes = ["prefetch", "prerender", "preview"]
    private static let longestPurpose = 64

    /// Whether a list names the property `al`, whose tags are `al:ios:url` and so on.
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

extension String {
    /// Whether a header's name equals the given one, which is in lower case; with `prefix`, whether it begins with it. The parser accepts no
    /// control characters in names, so bit 0x20 distinguishes only the two cases of a letter.
    fileprivate func isHeader(_ name: StaticString, prefix: Bool = false) -> Bool {
        guard prefix || utf8.count == name.utf8CodeUnitCount else { return false }
        var expected = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount).makeIterator()
        for byte in utf8 {
            guard let letter = expected.next() else { return true }
            guard byte | 0x20 == letter else { return false }
        }
        return expected.next() == nil
    }
}
