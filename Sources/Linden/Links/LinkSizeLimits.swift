import LindenKernel
import LinkRouting

/// Size limits of a link, checked before it is written, so that no link makes its visits expensive.
///
/// The largest links of real apps hold some 8 KiB; a whole link is read, decided and perhaps rendered for each visit.
package struct LinkSizeLimits: Sendable {
    /// Maximum bytes of the data as JSON (`links.max_data_bytes`).
    package var dataBytes: Int

    package static let standardDataBytes = 64 << 10
    /// Maximum number of values in the data, with those within others: each session by the link takes the data apart, and 64 KiB can hold
    /// ten thousand of them.
    static let values = 1000
    package static let tags = 64
    package static let customMetaTags = 64
    package static let keywords = 100
    /// Maximum number of URLs and paths into the app, such as a page for each of the world's countries: visits compare their hosts.
    static let addresses = 256
    /// Maximum bytes of a URL or of a path into the app; most browsers and proxies take no more.
    package static let addressBytes = 8 << 10

    package init(dataBytes: Int = LinkSizeLimits.standardDataBytes) {
        self.dataBytes = dataBytes
    }

    /// Checks data and labels. Throws `tooLarge` with the field and its limit.
    package func check(_ data: JSONObject, _ labels: Labels) throws {
        guard labels.tags.count <= Self.tags else {
            throw Failure(.tooLarge, "tags may have at most \(Self.tags) values, not \(labels.tags.count).")
        }
        let bytes = JSON.object(data).bytes.count
        guard bytes <= dataBytes else {
            throw Failure(.tooLarge, "data may have at most \(dataBytes) bytes as JSON, not \(bytes).")
        }
        let values = JSON.object(data).innerValues
        guard values <= Self.values else {
            throw Failure(.tooLarge, "data may have at most \(Self.values) values, not \(values).")
        }
        let metaTags = data.customMetaTags.count
        guard metaTags <= Self.customMetaTags else {
            throw Failure(.tooLarge, "$custom_meta_tags may have at most \(Self.customMetaTags) tags, not \(metaTags).")
        }
        let keywords = data["$keywords"]?.array?.count ?? 0
        guard keywords <= Self.keywords else {
            throw Failure(.tooLarge, "$keywords may have at most \(Self.keywords) words, not \(keywords).")
        }
        let addresses = data.filter { $0.key.isOfAddress }
        guard addresses.count <= Self.addresses else {
            throw Failure(.tooLarge, "data may have at most \(Self.addresses) URLs and paths, not \(addresses.count).")
        }
        for (key, value) in addresses {
            let bytes = value.string?.utf8.count ?? 0
            guard bytes <= Self.addressBytes else {
                throw Failure(.tooLarge, "\(key) may have at most \(Self.addressBytes) bytes, not \(bytes).")
            }
        }
    }
}

extension JSONObject {
    /// The custom meta tags that a link adds to its page, by name; given as an object or as its JSON text.
    package var customMetaTags: JSONObject {
        self["$custom_meta_tags"]?.openedObject ?? [:]
    }
}

extension String {
    /// Whether a key of link data holds a URL or a path into the app.
    fileprivate var isOfAddress: Bool {
        guard utf8.first == UInt8(ascii: "$") else { return false }
        return hasEnd("_path") || hasEnd("_url") || hasEnd("_uri") || hasBytes(of: "_url_") || ControlParameters.isAppendedURL(self)
    }

    private func hasEnd(_ end: StaticString) -> Bool {
        utf8.count >= end.utf8CodeUnitCount && end.withUTF8Buffer { utf8.suffix($0.count).elementsEqual($0) }
    }
}
