import Linden
import LindenKernel
import LinkRouting

/// A cache of the data of credited links, one entry for each link and appended query.
struct CreditedLinks {
    private struct Key: Hashable {
        let link: Link.ID
        let query: BytewiseText?
    }

    private var links: [Link.ID: Link] = [:]
    private var data: [Key: JSONObject] = [:]
    /// The approximate memory size of the data.
    private var bytes = 0

    /// The maximum number of entries. It matters because ad networks append a different id to each click.
    private static let capacity = 10_000
    private static let mostBytes = 8 << 20

    /// The most tags of a link that are counted. A long link's query may have more.
    private static let mostTags = 64

    /// Returns the texts under a key of the credited link's data; empty if nothing is credited or the data has no such key. Tags are
    /// several texts; any other list is one, since a row with several long lists would be counted under each combination of their
    /// elements.
    mutating func values(of key: String, for activity: AnalyticsRecord, from reader: any LinkReader) throws -> [String] {
        let data = try data(of: activity, from: reader)
        switch key {
        case LinkProduct.currentKey: return product(activity, data).map { [$0.rawValue] } ?? []
        case LinkProduct.viaKey:
            let deepview = activity.details?.deepview.map { $0 == "desktop" ? LinkProduct.desktopDeepviews : .mobileDeepviews }
            return [product(activity, data), deepview].compactMap { $0?.rawValue }
        default:
            guard let value = data[key], !value.isNull else { return [] }
            if key == "~tags", let tags = value.array {
                return Array(tags.compactMap(\.scalarText).filter { !$0.isEmpty }.prefix(Self.mostTags))
            }
            return [value.scalarText ?? value.text].filter { !$0.isEmpty }
        }
    }

    private func product(_ activity: AnalyticsRecord, _ data: JSONObject) -> LinkProduct? {
        guard activity.link != nil || activity.isByAd else { return nil }
        return LinkProduct(link: activity.link.flatMap { links[$0] }, data: data)
    }

    private mutating func data(of activity: AnalyticsRecord, from reader: any LinkReader) throws -> JSONObject {
        guard let id = activity.link else {
            guard activity.isByAd, let report = activity.details?.report else { return [:] }
            return try JSON.parse(report).object ?? [:]
        }
        let query = activity.details?.query
        let key = Key(link: id, query: query.map(BytewiseText.init))
        if let known = data[key] { return known }
        if data.count >= Self.capacity || bytes >= Self.mostBytes { (data, links, bytes) = ([:], [:], 0) }
        let read =
            id == .long
            ? Self.data(ofLongLink: query ?? "") : try link(id, from: reader).map { Self.data(of: $0, query) } ?? [:]
        data[key] = read
        bytes += JSON.object(read).byteCost
        return read
    }

    private mutating func link(_ id: Link.ID, from reader: any LinkReader) throws -> Link? {
        if let known = links[id] { return known }
        let link = try reader.link(id)
        links[id] = link
        bytes += link.map { JSON.object($0.data).byteCost } ?? 0
        return link
    }

    private static func data(of link: Link, _ query: String?) -> JSONObject {
        ReferringData.touch(
            Referral(
                link: link, url: "", click: Click.ID(rawValue: 0), query: query.map { URLParts.queryItems($0) } ?? [],
                isGuaranteed: true))
    }

    private static func data(ofLongLink query: String) -> JSONObject {
        let read = LongLink(query: query)
        return read.labels.members.reduce(into: read.data) { $0["~" + $1.key] = $1.value }
    }
}
