/// Upper bounds of the parts of a page that a link's creator writes, in bytes of HTML. Together they keep a page below 128 KiB, since a
/// page is held in memory until its visitor has received it.
enum PageSize {
    /// Bytes of a text; a longer one is cut.
    static let text = 2 << 10
    /// Bytes of a URL in the metadata; a longer one is left out, since a part of it would lead elsewhere.
    static let url = 12 << 10
    /// Bytes of all tags together; tags that do not fit are left out.
    static let tags = 48 << 10
    /// Bytes of structured data; larger ones are left out.
    static let structuredData = 32 << 10
}

extension String {
    /// The text for a page, cut if it is longer than ``PageSize/text``.
    var pageText: String { prefix(htmlBytes: PageSize.text) }

    /// The URL for a page; nil if it is longer than ``PageSize/url``.
    var pageURL: String? { htmlBytes <= PageSize.url ? self : nil }
}

extension Sequence<PageModel.Tag> {
    /// The tags that fit into ``PageSize/tags``, the first ones preferred.
    var fitting: [PageModel.Tag] {
        var room = PageSize.tags
        return filter { tag in
            let size = tag.property.htmlBytes + tag.content.htmlBytes
            guard size <= room else { return false }
            room -= size
            return true
        }
    }
}
