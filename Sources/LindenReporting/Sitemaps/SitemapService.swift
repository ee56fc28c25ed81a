import Linden
import LindenKernel
import LinkRouting

/// A service that builds the sitemaps of hosts whose apps enable them (`links.sitemap`).
///
/// Any client may request a sitemap, and a large one takes seconds of reading. Each is therefore built at most once in ten minutes, in
/// batches between which other reads can run.
package actor SitemapService {
    private struct Made {
        let at: Timestamp
        let xml: Task<[UInt8], any Error>
        /// Nil while it is being built.
        var bytes: Int?
    }

    /// The most bytes of the sitemaps that are kept. An app may have a thousand hosts, and each its own.
    private static let mostBytes = 4 * Sitemap.maximumBytes

    private static let lifetime = Duration.seconds(600)
    /// Objects per read. Each may have 64 KiB.
    private static let batch = 20
    /// The maximum number of an object's links to examine for one that may be listed.
    fileprivate static let tries = 20

    /// The maximum number of objects to examine for one sitemap, more than it can list because some may not be listed.
    private let reach: Int
    private let storage: any ReportingStorage
    private let directory: AppDirectory
    private let baseURL: BaseURL
    private var made: [String: Made] = [:]
    /// The last sitemap of each app that is being built: one of an app at a time, since an app may have a thousand hosts.
    private var building: [App.ID: Task<[UInt8], any Error>] = [:]

    package init(storage: any ReportingStorage, directory: AppDirectory, baseURL: BaseURL, reach: Int = 4 * Sitemap.maximumPages) {
        self.reach = reach
        self.storage = storage
        self.directory = directory
        self.baseURL = baseURL
    }

    /// Returns the sitemap of a host in XML. Nil for a host that is no app's domain, or whose app does not enable sitemaps.
    package func sitemap(of host: String) async throws -> [UInt8]? {
        let (domain, now) = try await storage.read { (try $0.domain(host), $0.now) }
        guard let domain, let app = try await directory.app(scope: domain.scope),
            app.app.configuration["links.sitemap"] == "true"
        else {
            made[host] = nil
            return nil
        }
        made = made.filter { now < $0.value.at + Self.lifetime }
        if let made = made[host] { return try await made.xml.value }
        let earlier = building[domain.scope.app]
        let xml = Task {
            _ = await earlier?.result
            return try await Self.xml(pages(of: domain, app))
        }
        made[host] = Made(at: now, xml: xml)
        building[domain.scope.app] = xml
        defer { if building[domain.scope.app] == xml { building[domain.scope.app] = nil } }
        do {
            let xml = try await xml.value
            keep(xml.count, of: host)
            return xml
        } catch {
            made[host] = nil
            throw error
        }
    }

    /// Not on the actor, whose other hosts would wait.
    private nonisolated static func xml(_ pages: [Sitemap.Page]) async -> [UInt8] { Sitemap(pages).xml }

    /// Notes the size of a sitemap, and forgets the oldest ones if all together are too large.
    private func keep(_ bytes: Int, of host: String) {
        made[host]?.bytes = bytes
        var total = made.values.reduce(0) { $0 + ($1.bytes ?? 0) }
        let others = made.filter { $0.key != host && $0.value.bytes != nil }.sorted { $0.value.at < $1.value.at }
        for (other, sitemap) in others where total > Self.mostBytes {
            made[other] = nil
            total -= sitemap.bytes ?? 0
        }
    }

    /// Returns the newest link created by the app itself for each content item that the app itself describes and that may be listed, newest
    /// first. Beyond the limits, the content created last is preferred.
    private func pages(of domain: Domain, _ app: AppContext) async throws -> [Sitemap.Page] {
        var found: [(link: Link.ID, page: Sitemap.Page)] = []
        var last: UniversalObject.ID?
        var (seen, bytes) = (0, 0)
        while found.count < Sitemap.maximumPages, seen < reach, bytes < Sitemap.maximumBytes {
            let limit = min(Self.batch, reach - seen)
            let (objects, pages) = try await storage.analyze(domain.scope) { [last, baseURL] reader in
                let objects = try reader.authenticatedObjects(of: domain.scope, before: last, limit: limit)
                let selection = SitemapSelection(reader: reader, host: domain.host, app: app)
                let pages = try objects.compactMap { object in
                    try selection.link(about: object).map {
                        (link: $0.link.id, page: Sitemap.Page(url: baseURL.url(of: $0.link), modifiedAt: $0.updatedAt))
                    }
                }
                return (objects.map(\.id), pages)
            }
            found += pages
            bytes += pages.reduce(0) { $0 + $1.page.url.utf8.count }
            seen += objects.count
            guard let oldest = objects.last else { break }
            last = oldest
        }
        return found.sorted { $0.link.rawValue > $1.link.rawValue }.map(\.page)
    }
}

/// Selects the links that the sitemap of a host lists.
private struct SitemapSelection {
    let reader: any LinkReader & SnapshotReader
    let host: String
    let app: AppContext

    /// Returns the newest of the app's own public links about an object, if the object may be listed.
    func link(about object: UniversalObject) throws -> (link: Link, updatedAt: Timestamp)? {
        let now = reader.now
        guard object.data.isPubliclyIndexable, object.data.contentEnd.map({ $0 > now }) ?? true else { return nil }
        var last: Link.ID?
        for _ in 0..<SitemapService.tries {
            guard let found = try reader.openLink(about: object.id, on: host, before: last) else { return nil }
            if found.link.mayBeListed(at: now, in: app) { return found }
            last = found.link.id
        }
        return nil
    }
}

extension Link {
    /// Whether the link may be listed: not a one-time link, which is for a single visitor, nor one whose page opts out of indexing or that
    /// crawlers get no page for.
    fileprivate func mayBeListed(at time: Timestamp, in app: AppContext) -> Bool {
        guard !isOneTimeUse, data.isPubliclyIndexable, !hasExpired(at: time, in: app.app.configuration) else { return false }
        let crawler = Visitor(platform: .desktop, robot: .crawler)
        return decide(link: controlParameters, app: app.routing, visitor: crawler).action == .preview
    }
}
