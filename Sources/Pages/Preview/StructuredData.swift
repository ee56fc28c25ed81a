import Linden
import LindenKernel
import LinkRouting

/// A link's content as schema.org structured data for search engines. Built from the link's data alone: `$content_schema` determines the
/// type, the other keys of a universal object its properties (json-ld.org; schema.org).
struct StructuredData {
    private let data: JSONObject
    private let url: String
    private let mayShow: (String) -> Bool

    /// A long link, whose data its URL contains, shows only URLs of hosts that the app names: anybody can write such a link.
    ///
    /// - Parameter url: the link's own URL, for content without `$canonical_url`.
    init(link: Link, url: String, routing: AppSettings) {
        data = link.data
        self.url = url
        mayShow = { url in !link.isLong || routing.mayShow(url) }
    }

    /// JSON-LD that is safe to embed in a script element; nil if the link has no content schema or no name, or if it is too large.
    var json: String? {
        guard let type = text("$content_schema").flatMap(SchemaType.init), let name = text("$product_name") ?? text("$og_title")
        else {
            return nil
        }
        var members: [(String, JSON?)] = [
            ("name", .string(name.pageText)), ("description", string("$og_description")),
            ("image", webURL("$og_image_url").map(JSON.string)),
            ("url", .string(webURL("$canonical_url") ?? url)),
        ]
        members += further(of: type)
        guard let object = object(type.name, members) else { return nil }
        let json = JSON.object(JSONObject(["@context": "https://schema.org"]).merging(object)).scriptText
        return json.utf8.count <= PageSize.structuredData ? json : nil
    }

    /// The properties that schema.org defines for the type.
    private func further(of type: SchemaType) -> [(String, JSON?)] {
        switch type.family {
        case .product: [("sku", string("$sku")), ("keywords", keywords)] + trade + [("offers", offer)]
        case .service: trade + [("offers", offer), ("areaServed", place)]
        case .place:
            [
                ("brand", brand), ("aggregateRating", rating), ("keywords", keywords), ("address", address), ("geo", geo),
                ("makesOffer", offer),
            ]
        case .trip: [("offers", offer), ("itinerary", place)]
        case .work:
            [
                ("keywords", keywords), ("dateCreated", time("$creation_timestamp")), ("expires", time("$exp_date")),
                ("aggregateRating", rating), ("reviewRating", type.name == "Review" ? ownRating : nil), ("offers", offer),
                ("contentLocation", place),
            ]
        }
    }

    // MARK: Parts

    private var trade: [(String, JSON?)] {
        [("brand", brand), ("category", string("$product_category")), ("aggregateRating", rating)]
    }

    private var brand: JSON? { part("Brand", [("name", string("$product_brand"))]) }

    /// An offer, without availability, which the link does not contain.
    private var offer: JSON? {
        guard let price = number("$price") ?? number("$amount") else { return nil }
        return part("Offer", [("price", price), ("priceCurrency", string("$currency")), ("validThrough", time("$exp_date"))])
    }

    private var rating: JSON? {
        guard let average = number("$rating_average") else { return nil }
        return part(
            "AggregateRating",
            [("ratingValue", average), ("ratingCount", number("$rating_count")), ("bestRating", number("$rating_max"))])
    }

    /// The rating that a review gives.
    private var ownRating: JSON? {
        guard let value = number("$rating") else { return nil }
        return part("Rating", [("ratingValue", value), ("bestRating", number("$rating_max"))])
    }

    private var place: JSON? { part("Place", [("address", address), ("geo", geo)]) }

    private var address: JSON? {
        part(
            "PostalAddress",
            [
                ("streetAddress", string("$address_street")), ("addressLocality", string("$address_city")),
                ("addressRegion", string("$address_region")), ("postalCode", string("$address_postal_code")),
                ("addressCountry", string("$address_country")),
            ])
    }

    private var geo: JSON? {
        guard let latitude = number("$latitude"), let longitude = number("$longitude") else { return nil }
        return part("GeoCoordinates", [("latitude", latitude), ("longitude", longitude)])
    }

    private var keywords: JSON? {
        let words = data["$keywords"].map { ($0.array ?? [$0]).prefix(LinkSizeLimits.keywords).compactMap(\.scalarText) } ?? []
        guard !words.isEmpty else { return nil }
        return JSON(words)
    }

    // MARK: Values

    /// A typed object of the members that are known; nil if none is.
    private func part(_ type: String, _ members: [(String, JSON?)]) -> JSON? {
        object(type, members).map(JSON.object)
    }

    private func object(_ type: String, _ members: [(String, JSON?)]) -> JSONObject? {
        let known = members.compactMap { key, value in value.map { (key: key, value: $0) } }
        return known.isEmpty ? nil : JSONObject(["@type": .string(type)]).merging(JSONObject(known))
    }

    private func text(_ key: String) -> String? {
        data[key]?.scalarText.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func string(_ key: String) -> JSON? { text(key).map { JSON.string($0.pageText) } }

    /// A number with all its digits, also where it was given as text.
    private func number(_ key: String) -> JSON? {
        switch text(key).flatMap({ try? JSON.parse($0, within: .untrusted) }) {
        case .integer(let number): .integer(number)
        case .decimal(let text): .decimal(text)
        default: nil
        }
    }

    private func time(_ key: String) -> JSON? { data.time(key).map { .string($0.iso8601) } }

    private func webURL(_ key: String) -> String? {
        text(key).flatMap { LinkTags.isWeb($0) && mayShow($0) ? $0 : nil }
    }
}

extension JSON {
    /// The value as JSON text in which characters that are special to HTML or JavaScript parsers are escaped.
    fileprivate var scriptText: String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<", ">", "&": escaped += "\\u00" + String(scalar.value, radix: 16)
            case "\u{2028}", "\u{2029}": escaped += "\\u" + String(scalar.value, radix: 16)
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
