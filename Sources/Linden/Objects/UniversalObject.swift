/// A piece of the customer's content, known by its canonical identifier: what links and events are about.
package struct UniversalObject: Sendable {
    package typealias ID = Identifier<UniversalObject>

    package let id: ID
    package let scope: Scope
    package let canonicalIdentifier: String
    /// The content's own keys, as the Universal Object of the SDKs names them.
    package var data: JSONObject
    /// Whether the app itself says so, with its secret or on the server. Then no other caller changes it, and only then do pages and
    /// sitemaps believe it: anybody can read the key out of an app.
    package var isAuthenticated: Bool

    package init(id: ID, scope: Scope, canonicalIdentifier: String, data: JSONObject, isAuthenticated: Bool) {
        self.id = id
        self.scope = scope
        self.canonicalIdentifier = canonicalIdentifier
        self.data = data
        self.isAuthenticated = isAuthenticated
    }

    /// In bytes: what an index of any database can hold.
    package static let longestIdentifier = 1024

    /// In bytes of JSON: what is known of an object grows no further. A key that does not fit is left out.
    static let largestData = 8192

    /// The keys that name content, the first before the second.
    static let namingKeys = ["$canonical_identifier", "$canonical_url"]

    /// The keys that describe content rather than steer a link (BranchUniversalObject of the iOS SDK).
    package static let keys: Set<String> = [
        "$canonical_identifier", "$canonical_url", "$creation_timestamp", "$exp_date", "$keywords", "$locally_indexable",
        "$publicly_indexable", "$og_title", "$og_description", "$og_image_url", "$content_schema", "$content_type", "$quantity",
        "$price", "$amount", "$currency", "$sku", "$product_name", "$product_brand", "$product_category", "$product_variant",
        "$condition", "$rating", "$rating_average", "$rating_count", "$rating_max", "$address_street", "$address_city",
        "$address_region", "$address_country", "$address_postal_code", "$latitude", "$longitude", "$image_captions",
        "$custom_fields",
    ]
}

package protocol ObjectReader {
    func object(_ canonicalIdentifier: String, in scope: Scope) throws -> UniversalObject?
    /// The objects of a scope, the last made first.
    func objects(of scope: Scope, before: UniversalObject.ID?, limit: Int) throws -> [UniversalObject]
    /// The objects that the app itself describes, see ``UniversalObject/isAuthenticated``, the last made first.
    func authenticatedObjects(of scope: Scope, before: UniversalObject.ID?, limit: Int) throws -> [UniversalObject]
    func object(_ id: UniversalObject.ID) throws -> UniversalObject?
    /// The same without reading what is known of it.
    func objectID(_ canonicalIdentifier: String, in scope: Scope) throws -> UniversalObject.ID?
}

package protocol ObjectRepository: ObjectReader {
    func insert(_ object: UniversalObject, at time: Timestamp) throws
    func update(_ object: UniversalObject, at time: Timestamp) throws
}

extension UniversalObject {
    /// By what content is known: its canonical identifier or, without one, its URL. Nil for one that cannot be kept.
    package static func identifier(in data: JSONObject) -> String? {
        guard let identifier = data["$canonical_identifier"]?.scalarText ?? data["$canonical_url"]?.string,
            (1...longestIdentifier).contains(identifier.utf8.count), !identifier.utf8.contains(0)
        else { return nil }
        return identifier
    }
}
