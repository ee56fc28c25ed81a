import Linden
import LindenKernel
import LinkRouting

extension ExportCursor {
    struct TouchKey: Hashable {
        let link: Link.ID
        let query: BytewiseText?
    }

    mutating func record(of row: ExportRow) throws -> ExportRecord {
        let body = try row.body.map { try JSON.parse($0).object ?? [:] } ?? [:]
        var record = ExportRecord(
            row, in: request.scope, body: body, touch: touch(of: row, body), showsAddress: service.showsAddresses,
            publicIDs: service.publicIDs, visitors: service.visitors)
        record.app = app?.app
        if request.topic.isOld {
            record.link = row.link.flatMap { links[$0] }
            record.linkURL = record.link.map { service.baseURL.url(of: $0) }
            record.firstTouch = try row.firstTouch.map { try JSON.parse($0).object ?? [:] } ?? [:]
        }
        return record
    }

    /// Returns the touch of a row. A session's parameters include its touch; for clicks and events, it is derived from the click.
    private mutating func touch(of row: ExportRow, _ body: JSONObject) -> ExportTouch? {
        guard projection.contains(.touch) else { return nil }
        if case .session = row.kind {
            guard row.link != nil || row.isByAd else { return nil }
            var body = body
            if needsLinkURL, let id = row.link, let url = url(of: id) { body["+url"] = .string(url) }
            return ExportTouch(body, writer: writer, isWrittenOnly: isWrittenOnly)
        }
        guard let id = row.link, let click = row.click else { return nil }
        let key = TouchKey(link: id, query: row.query.map(BytewiseText.init))
        if let touch = touches[key] { return touch }
        guard var data = data(of: id, click, row.query) else { return nil }
        if needsLinkURL, let url = url(of: id, row.query) { data["+url"] = .string(url) }
        let touch = ExportTouch(data, writer: writer, isWrittenOnly: isWrittenOnly)
        if touchBytes >= Self.cacheBytes { (touches, touchBytes) = ([:], 0) }
        touches[key] = touch
        touchBytes += touch.byteCost
        return touch
    }

    /// Returns the address of a link without the query appended to it when it was clicked. A long link consists of its query, so without a
    /// query the result is nil.
    private func url(of id: Link.ID, _ query: String? = nil) -> String? {
        guard id == .long else { return links[id].map { service.baseURL.url(of: $0) } }
        guard let longLinkKey, let query else { return nil }
        let base = service.baseURL.url(of: LinkAddress(host: "", path: "a/" + longLinkKey))
        return query.isEmpty ? base : base + "?" + PercentCoding.encodeIllegal(query)
    }

    private func data(of id: Link.ID, _ click: Click.ID, _ query: String?) -> JSONObject? {
        if id == .long {
            let read = LongLink(query: query ?? "")
            var data = read.data
            for (name, value) in read.labels.members { data["~" + name] = value }
            data["~id"] = "0"
            return data
        }
        guard let link = links[id] else { return nil }
        return ReferringData.touch(
            Referral(
                link: link, url: service.baseURL.url(of: link, appended: query), click: click,
                query: query.map { URLParts.queryItems($0) } ?? [], referrer: nil, owner: nil, phone: nil, isGuaranteed: true))
    }
}
