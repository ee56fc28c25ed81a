import LindenKernel
import LinkRouting

/// A long link: a URL that carries all of its link data in the query, `/a/<branch key>?…` or `/?…` on an app's own domain. SDKs create them
/// when the server cannot be reached, and people write them by hand.
///
/// It has no database row; a click stores its query, and the link is parsed again from there.
///
/// The producers differ (iOS, Android, C++ and Web SDK): the data is base64 of JSON, escaped or not, padded or not; iOS leaves `&`, `+` and
/// a second `?` unescaped, and uses `matchDuration` where others use `duration`.
package struct LongLink {
    package private(set) var labels = Labels()
    package private(set) var alias: String?
    package private(set) var kind = Link.Kind.standard
    package private(set) var duration: Int64?
    /// The token of the identity that shares the link, as the SDK wrote it.
    package private(set) var ownerToken: String?
    package private(set) var data: JSONObject = [:]

    /// Parses the stored part of a query (``Visit/longestQuery``), with at most ``LinkSizeLimits/tags`` tags, as for other links.
    package init(query: String) {
        let items = LongLink.items(Visit.shortened(query: query))
        // Explicit query items override those in `data`.
        for item in items where item.name.ifASCII == "data" {
            data.merge(LongLink.unpacked(item.value))
        }
        for item in items where !item.value.isEmpty { add(item) }
    }

    /// The data with `~alias`, where SDKs look for it; a long link has no alias of its own.
    var dataWithAlias: JSONObject {
        alias.map { data.merging(["~alias": .string($0)]) } ?? data
    }

    private mutating func add(_ item: QueryItem) {
        switch item.name.ifASCII {
        case "channel", "~channel": labels.channel = item.value
        case "feature", "~feature": labels.feature = item.value
        case "campaign", "~campaign": labels.campaign = item.value
        case "stage", "~stage": labels.stage = item.value
        case "tags", "tags[]", "~tags", "~tags[]":
            if labels.tags.count < LinkSizeLimits.tags { labels.tags.append(item.value) }
        case "alias": alias = item.value
        case "type": kind = Int64(item.value).flatMap(Link.Kind.init(rawValue:)) ?? .standard
        case "duration", "matchDuration": duration = Int64(item.value).flatMap { $0 > 0 ? $0 : nil }
        case "$identity_id", "$randomized_bundle_token": ownerToken = item.value
        case "data", "source", "sdk": break
        case _ where LinkQuery.isDropped(item.name): break
        default: data[item.name] = .string(item.value)
        }
    }

    /// Returns the members of base64-encoded data; none if it is truncated or something else.
    private static func unpacked(_ text: String) -> JSONObject {
        guard let bytes = Base64.decode(text) else { return [:] }
        return (try? JSON.parse(bytes, within: .untrusted))?.object ?? closed(bytes) ?? [:]
    }

    /// Returns the members of an object whose last brace is missing, as C++ 1.2.0 and 1.2.1 leave it out; nil if more is missing. A number
    /// at the end may have lost a digit with it, so its member is left out.
    private static func closed(_ bytes: [UInt8]) -> JSONObject? {
        guard let object = try? JSON.parse(bytes + "}".utf8, within: .untrusted).object else { return nil }
        guard let longer = try? JSON.parse(bytes + "0}".utf8, within: .untrusted).object else { return object }
        return object.filter { key, value in longer[key] == value }
    }

    /// Parses the items of a query by the conventions of its producer.
    private static func items(_ query: String) -> [QueryItem] {
        // iOS escapes a space as %20, so its `+` is a plus sign; Android's is a space.
        let plusIsSpace = !query.hasBytes(of: "source=ios")
        var items: [QueryItem] = []
        for piece in withoutSecondQuestionMark(query).utf8.split(separator: UInt8(ascii: "&")).map(Substring.init) {
            let piece = withoutRemovedToken(piece)
            if let equals = piece.utf8.firstIndex(of: UInt8(ascii: "=")) {
                items.append(
                    QueryItem(
                        name: PercentCoding.decode(piece[..<equals], plusIsSpace: plusIsSpace),
                        value: PercentCoding.decode(piece[piece.utf8.index(after: equals)...], plusIsSpace: plusIsSpace)))
            } else if let last = items.indices.last {
                // An unescaped ampersand inside a value.
                items[last].value += "&" + PercentCoding.decode(piece, plusIsSpace: plusIsSpace)
            }
        }
        return items
    }

    /// Removes the token from `%24identity_id=123tags=a`. Where tracking is disabled, the iOS SDK means to take the token out of the link
    /// that it appends to, and appends without an ampersand: the token is unintended, what follows it is not.
    private static func withoutRemovedToken(_ piece: Substring) -> Substring {
        for name in ["%24identity_id=", "%24randomized_bundle_token="] where piece.hasPrefix(name) {
            let rest = piece.utf8.dropFirst(name.utf8.count).drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            if rest.contains(UInt8(ascii: "=")) { return Substring(rest) }
        }
        return piece
    }

    /// Replaces the second question mark in `?%24identity_id=1?tags=a`: the iOS SDK appends a query to a link that has one.
    private static func withoutSecondQuestionMark(_ query: String) -> String {
        guard query.hasBytes(of: "?") else { return query }
        var bytes = Array(query.utf8)
        for index in bytes.indices where bytes[index] == UInt8(ascii: "?") {
            let rest = bytes[(index + 1)...].prefix(longestAppended + 1)
            guard let equals = rest.firstIndex(of: UInt8(ascii: "=")),
                appended.contains(String(decoding: rest[..<equals], as: UTF8.self))
            else { continue }
            bytes[index] = UInt8(ascii: "&")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The names that the iOS SDK appends.
    private static let appended: Set<String> = [
        "tags", "alias", "channel", "feature", "stage", "campaign", "type", "duration", "matchDuration", "source", "data",
    ]
    private static let longestAppended = "matchDuration".utf8.count
}

extension Link.ID {
    /// The id of any long link, which has no row. The wire format's `~id` is "0" as well.
    package static let long = Link.ID(rawValue: 0)
}

extension Link {
    package var isLong: Bool { id == .long }

    /// Returns the long link that a query describes.
    static func long(query: String, of app: AppContext, at time: Timestamp) -> Link {
        let read = LongLink(query: query)
        return Link(
            id: .long, scope: app.scope, address: LinkAddress(host: app.domain ?? "", path: "a/" + app.key.branchKey),
            hasAlias: false,
            kind: read.kind, duration: read.duration, owner: nil, labels: read.labels, data: read.dataWithAlias, object: nil,
            source: .dynamic,
            createdAt: time, query: query)
    }
}
