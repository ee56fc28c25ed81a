import Linden
import LindenKernel
import LinkRouting

extension ExportCursor {
    struct Page: Sendable {
        var rows: ArraySlice<ExportRow>
        var through: Int64
        /// The links of the page's rows that were not cached when it was read.
        var links: [Link.ID: Link] = [:]
        var linkBytes = 0
        /// Whether the links cached before are to be dropped.
        var isFresh = false

        /// Truncates the page before a row.
        mutating func cut(at index: Int) {
            rows = rows[..<index]
            through = rows.last!.id
        }
    }

    mutating func nextPage() async throws -> Page {
        let page = try await (ahead ?? read(after: position)).value
        if page.isFresh {
            (links, linkBytes) = (page.links, page.linkBytes)
        } else {
            links.merge(page.links) { $1 }
            linkBytes += page.linkBytes
        }
        ahead = readsAhead && page.through < last ? read(after: page.through) : nil
        return page
    }

    private func read(after position: Int64) -> Task<Page, any Error> {
        let (request, projection, last, limit) = (request, projection, last, limit)
        let cached = linkBytes > Self.cacheBytes ? [:] : links
        let (storage, turns) = (service.storage, service.pageTurns)
        return Task {
            if case .nothing = request.topic.source { return Page(rows: [], through: last) }
            return try await turns.run {
                try await storage.read { reader in
                    let (rows, through) = try reader.exportRows(
                        of: request.topic, projection, in: request.scope, after: position, through: last, limit: limit)
                    var page = Page(rows: rows[...], through: through, isFresh: cached.isEmpty)
                    guard projection.contains(.touch) else { return page }
                    for (index, row) in rows.enumerated() {
                        guard let id = row.link, id != .long, cached[id] == nil, page.links[id] == nil,
                            let link = try reader.link(id)
                        else { continue }
                        if page.linkBytes >= limit.bytes {
                            page.cut(at: index)
                            break
                        }
                        page.links[id] = link
                        page.linkBytes += JSON.object(link.data).byteCost
                    }
                    return page
                }
            }
        }
    }
}
