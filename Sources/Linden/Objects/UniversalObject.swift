import LindenKernel
import LinkRouting

/// A piece of a customer's content that links and events refer to, with a canonical identifier.
package struct UniversalObject: Sendable {
    package typealias ID = Identifier<UniversalObject>

    package let id: ID
    package let scope: Scope
    package let canonicalIdentifier: String
    /// The content's description, by the keys of the SDKs' Universal Object and the app's own.
    package var data: JSONObject
    /// Whether the description was sent by the app itself, with its secret or on the server. Unauthenticated callers cannot change such an
    /// object, and pages and sitemaps use only such objects: the public key can be extracted from an app.
    package var isAuthenticated: Bool

    package init(id: ID, scope: Scope, canonicalIdentifier: String, data: JSONObject, isAuthenticated: Bool) {
        self.id = id
        self.scope = scope
        self.canonicalIdentifier = canonicalIdentifier
        self.data = data
        self.isAuthenticated = isAuthenticated
    }

    /// The maximum length of an identifier in bytes: what an index of any database can hold.
    package static let longestIdentifier = 1024

    /// The maximum size of an object's data, see ``MemberSizes``. A key that does not fit is omitted.
    static let largestData = 8192

    /// About the number of bytes that an object takes in the database besides its identifier and its data: its row and index entries.
    static let rowBytes = 250

    /// The keys that identify content, in order of precedence.
    static let namingKeys: JSONObject.Names = ["$canonical_identifier", "$canonical_url"]

    /// The keys that describe content rather than control a link (BranchUniversalObject of the iOS SDK).
    package static let keys: Set<String> = [
        "$canonical_identifier", "$canonical_url", "$creation_timestamp", "$exp_date", "$keywords", "$locally_indexable",
        "$publicly_indexable", "$og_title", "$og_description", "$og_image_url", "$content_schema", "$content_type", "$quantity",
        "$price", "$amount", "$currency", "$sku", "$product_name", "$product_brand", "$product_category", "$product_variant",
        "$condition", "$rating", "$rating_average", "$rating_count", "$rating_max", "$address_street", "$address_city",
        "$address_region", "$address_country", "$address_postal_code", "$latitude", "$longitude", "$image_captions",
        "$custom_fields",
    ]
    static let names = JSONObject.Names(keys)
}

/// The part of an object that decides whether its data has to be read.
package struct ObjectStatus: Sendable {
    package let id: UniversalObject.ID
    /// See ``UniversalObject/isAuthenticated``.
    package let isAuthenticated: Bool
    /// Whether the data equals the text that it was compared to.
    package let hasSameData: Bool
    /// The length of the data in characters.
    package let length: Int

    package init(id: UniversalObject.ID, isAuthenticated: Bool, hasSameData: Bool, length: Int) {
        self.id = id
        self.isAuthenticated = isAuthenticated
        self.hasSameData = hasSameData
        self.length = length
    }

    /// Whether a description with the compared data changes nothing: it is the same, or the caller may not change the object.
    func isKept(isAuthenticated: Bool) -> Bool {
        isAuthenticated ? self.isAuthenticated && hasSameData : self.isAuthenticated || hasSameData
    }
}

package protocol ObjectReader {
    func object(_ canonicalIdentifier: String, in scope: Scope) throws -> UniversalObject?
    /// The objects of a scope, newest first.
    func objects(of scope: Scope, before: UniversalObject.ID?, limit: Int) throws -> [UniversalObject]
    /// The objects that the app itself describes, see ``UniversalObject/isAuthenticated``, newest first.
    func authenticatedObjects(of scope: Scope, before: UniversalObject.ID?, limit: Int) throws -> [UniversalObject]
    func object(_ id: UniversalObject.ID) throws -> UniversalObject?
    /// The status of an object; nil if it is unknown. Its data is compared in the database and not parsed.
    func objectStatus(_ canonicalIdentifier: String, in scope: Scope, comparedTo data: String) throws -> ObjectStatus?
}

package protocol ObjectRepository: ObjectReader {
    /// - Parameter data: the object's data as compact JSON.
    func insert(_ object: UniversalObject, data: String, at time: Timestamp) throws
    func update(_ object: UniversalObject, at time: Timestamp) throws
}

extension UniversalObject {
    /// The identifier of content: its canonical identifier or, without one, its URL. Nil if it is missing or cannot be stored.
    package static func identifier(in data: JSONObject) -> String? {
        guard let identifier = data["$canonical_identifier"]?.scalarText ?? data["$canonical_url"]?.string.map(withoutClick),
            (1...longestIdentifier).contains(identifier.utf8.count), !identifier.utf8.contains(0)
        else { return nil }
        return identifier
    }

    /// Returns a page's URL without the id of the click that led to it: the Web SDK reports the URL as the browser shows it, and the page's
    /// content is the same for all visitors. A URL that is longer than those of links stays as it is.
    static func withoutClick(_ url: String) -> String {
        guard url.utf8.count <= LinkSizeLimits.addressBytes else { return url }
        return URLParts.removing(["_branch_match_id", "_branch_referrer"], from: url)
    }
}
