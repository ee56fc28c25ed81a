import Linden
import LindenKernel

extension UniversalObject {
    /// A piece of content with its totals.
    ///
    /// - `id`: the content's id, a string.
    /// - `canonical_identifier`: the canonical identifier, or the canonical URL if there is none.
    /// - `title`: `$og_title`; null if not set.
    /// - `views`, `shares`, `clicks`, `purchases`: totals of the time range.
    /// - `revenue`: a number in the app's currency.
    /// - `conversion`: purchases per view; null without views.
    package func view(_ statistics: ObjectStatistics) -> JSONObject {
        [
            "id": .string(String(id.rawValue)), "canonical_identifier": .string(canonicalIdentifier),
            "title": JSON(data["$og_title"]?.scalarText), "views": .integer(statistics.views),
            "shares": .integer(statistics.shares), "clicks": .integer(statistics.clicks),
            "purchases": .integer(statistics.purchases),
            "revenue": .decimal(statistics.revenue.text),
            "conversion": statistics.conversion.map { .decimal(String($0)) } ?? .null,
        ]
    }

    /// A piece of content with its totals and, as `data`, its stored data.
    package func detailedView(_ statistics: ObjectStatistics) -> JSONObject {
        view(statistics).merging(["data": .object(data)])
    }
}
