import Linden
import LindenKernel

/// What identifies a link to readers; both are nil for a link that is no longer stored.
package struct LinkCaption: Sendable, Equatable {
    package let url: String?
    package let title: String?

    package init(url: String?, title: String?) {
        self.url = url
        self.title = title
    }
}

extension LinkCaption {
    /// The most bytes of a link's data in which its title is looked for.
    private static let mostBytes = 16 << 10
    /// The most characters of a title: an answer may have tens of thousands.
    private static let mostCharacters = 200

    /// Nil if the value names no link.
    init?(of value: String, from reader: any LinkReader, _ baseURL: BaseURL) throws {
        guard let id = Int64(value).map(Link.ID.init(rawValue:)) else { return nil }
        // All long links share one id, so they are counted as one.
        guard id != .long else { self.init(url: nil, title: "long links"); return }
        var link = try reader.storedLink(id)
        if let stored = link, stored.dataText.utf8.count <= Self.mostBytes { link?.link.data = try stored.parsedData() }
        self.init(url: link.map { baseURL.url(of: $0.link) }, title: link?.link.title.map(Self.cut))
    }

    private static func cut(_ title: String) -> String {
        let characters = title.unicodeScalars
        guard let end = characters.index(characters.startIndex, offsetBy: mostCharacters, limitedBy: characters.endIndex),
            end < characters.endIndex
        else { return title }
        return String(characters[..<end]) + "…"
    }
}

extension Link {
    /// The title shown to readers: that of the dashboard, otherwise that of previews.
    package var title: String? { data["$marketing_title"]?.scalarText ?? data["$og_title"]?.scalarText }
}
