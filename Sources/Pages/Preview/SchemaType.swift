/// A schema.org type of content, and the family that determines its properties.
struct SchemaType {
    enum Family {
        case product
        case service
        /// A business with a location.
        case place
        case trip
        /// A creative work: anything written, played or shown.
        case work
    }

    let name: String
    let family: Family

    /// The type for a `$content_schema` (`BranchContentSchema` of the SDKs); nil for any other text.
    init?(contentSchema: String) {
        guard let (name, family) = Self.types[contentSchema.uppercased()] else { return nil }
        self.name = name
        self.family = family
    }

    /// schema.org types by content schema. It has no type for auctions, so they are products.
    private static let types: [String: (String, Family)] = [
        "COMMERCE_AUCTION": ("Product", .product),
        "COMMERCE_BUSINESS": ("LocalBusiness", .place),
        "COMMERCE_OTHER": ("Product", .product),
        "COMMERCE_PRODUCT": ("Product", .product),
        "COMMERCE_RESTAURANT": ("Restaurant", .place),
        "COMMERCE_SERVICE": ("Service", .service),
        "COMMERCE_TRAVEL_FLIGHT": ("Flight", .trip),
        "COMMERCE_TRAVEL_HOTEL": ("Hotel", .place),
        "COMMERCE_TRAVEL_OTHER": ("Trip", .trip),
        "GAME_STATE": ("VideoGame", .work),
        "MEDIA_IMAGE": ("ImageObject", .work),
        "MEDIA_MIXED": ("MediaObject", .work),
        "MEDIA_MUSIC": ("MusicRecording", .work),
        "MEDIA_OTHER": ("MediaObject", .work),
        "MEDIA_VIDEO": ("VideoObject", .work),
        "OTHER": ("CreativeWork", .work),
        "TEXT_ARTICLE": ("Article", .work),
        "TEXT_BLOG": ("BlogPosting", .work),
        "TEXT_OTHER": ("CreativeWork", .work),
        "TEXT_RECIPE": ("Recipe", .work),
        "TEXT_REVIEW": ("Review", .work),
        "TEXT_SEARCH_RESULTS": ("SearchResultsPage", .work),
        "TEXT_STORY": ("Article", .work),
        "TEXT_TECHNICAL_DOC": ("TechArticle", .work),
    ]
}
