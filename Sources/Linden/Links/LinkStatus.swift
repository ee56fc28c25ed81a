/// The part of a link that attribution reads for every candidate click and event. Reading it costs the same however large the link's data
/// is.
package struct LinkStatus: Sendable {
    package let isDeleted: Bool
    /// See ``Link/isUsedUp``.
    package let isUsedUp: Bool
    /// See ``Link/conversionDays``.
    package let conversionDays: String?

    package init(isDeleted: Bool, isUsedUp: Bool, conversionDays: String?) {
        self.isDeleted = isDeleted
        self.isUsedUp = isUsedUp
        self.conversionDays = conversionDays
    }
}

extension Link {
    /// The link's own conversion window in days, such as `30.0`; nil if it sets none, or one that is not allowed.
    package var conversionDays: String? {
        AttributionWindows.number(data[AttributionWindows.conversionKey]?.scalarText).map { String($0) }
    }
}
