import Linden
import LindenKernel
import LinkRouting

extension Click {
    /// A recorded visit of a link.
    ///
    /// - `click_id`: the public id.
    /// - `time`: a time in ISO 8601, UTC.
    /// - `platform`: the platform of the visitor, such as `ios`.
    /// - `os`, `os_version`, `browser`: from the user agent; null if unknown.
    /// - `country`: a code of ISO 3166; null if unknown.
    /// - `robot`: the kind of robot; null for a person.
    /// - `referrer`: the page that the visitor came from, its first KiB; null if not sent.
    /// - `query`: the query that was appended to the link, its first KiB; null if there was none.
    package func view(_ publicIDs: PublicIDs) -> JSONObject {
        [
            "click_id": .string(publicIDs.string(for: id)),
            "time": .string(id.time.iso8601),
            "platform": .string(visitor.platform.rawValue),
            "os": JSON(visitor.os),
            "os_version": JSON(visitor.osVersion),
            "browser": JSON(visitor.browser?.family.rawValue),
            "country": JSON(visitor.country),
            "robot": JSON(visitor.robot?.rawValue),
            "referrer": JSON(referrer?.prefix(bytes: Self.mostShownBytes)),
            "query": JSON(query?.prefix(bytes: Self.mostShownBytes)),
        ]
    }

    /// The most bytes of a text in the view, since visitors choose it and a list has a thousand clicks. Exports have all of it.
    private static let mostShownBytes = 1024

    /// A recorded visit in the list of an app: ``view(_:)`` and `link_id`, which is null for a long link.
    package func listView(_ publicIDs: PublicIDs) -> JSONObject {
        view(publicIDs).merging(["link_id": link == .long ? .null : .string(String(link.rawValue))])
    }
}
