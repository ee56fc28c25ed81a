import Linden
import LindenKernel
import LinkRouting

/// A service that builds the sitemaps of hosts whose apps enable them (`links.sitemap`).
///
/// Any client may request a sitemap, and a large one takes seconds of reading. Each is therefore built at most once in ten minutes, in
/// batches between which other reads can run.
package actor SitemapService {
    /// A sitemap that was built, or is being built.
    private struct Made {
        let xml: Task<[UInt8], any Error>
        /// Nil while it is being built.
        var bytes: Int?
        /// The end of its ten minutes.
        var end = Timestamp(milliseconds: .max)
    }

    private static let lifetime = Duration.seconds(600)
    /// The time after which no further objects are read for a sitemap: others wait for it.
    private static let patience = Duration.seconds(30)
    /// Objects per read. Each may have 64 KiB.
    private static let batch = 20
    /// The maximum number of an object's links to examine for one that may be listed.
    fileprivate static let tries = 20
    /// The maximum number of objects to examine for one sitemap, more than it can list because some may not be listed.
    private let reach: Int
    /// The most bytes of the sitemaps that are kept. An app may have a thousand hosts, and each its own.
    private let mostBytes: Int
    private let storage: any ReportingStorage
    private let directory: AppDirectory
    private let baseURL: BaseURL
    private var made: [String: Made] = [:]
    /// The hosts whose sitemaps were given up for others, with the end of their ten minutes.
    private var givenUp: [String: Timestamp] = [:]
    /// One sitemap is built at a time. Apps take turns, each with the hosts that it has.
    private let turns = Turns<App.ID>(mostWaiting: 64, refusal: SitemapService.refusal)
    private let allTurns = Turns<AllCallers>(mostWaiting: 256, refusal: SitemapService.refusal)
    private static let refusal = "Too many sitemaps are being built; please try again later."

    package init(
        storage: any ReportingStorage, directory: AppDirectory, baseURL: BaseURL, reach: Int = 4 * Sitemap.maximumPages,
        mostBytes: Int = 4 * Sitemap.maximumBytes
    ) {
        self.reach = reach
        self.mostBytes = mostBytes
        self.storage = storage
        self.directory = directory
        self.baseURL = baseURL
    }

    /// Returns the sitemap of a host in XML, with its app. Nil for a host that is no app's domain, or whose app does not enable sitemaps. Fails with
    /// `unavailable` if there are too many.
    package func sitemap(of host: String) async throws -> (xml: [UInt8], app: App.ID)? {
        let (domain, now) = try await storage.read { (try $0.domain(host), $0.now) }
        guard let domain, let app = try await directory.app(scope: domain.scope),
            app.app.configuration["links.sitemap"] == "true"
        else {
            made[host] = nil
            return nil
        }
        made = made.filter { now < $0.value.end }
        givenUp = givenUp.filter { now < $0.value }
        if let made = made[host] { return (try await made.xml.value, app.app.id) }
        if let end = givenUp[host] {
            let wait = Int((end.milliseconds - now.milliseconds) / 1000) + 1
            throw Failure(.unavailable, "Too many sitemaps are kept. Please try again in \(wait) s.", retryAfter: wait)
        }
        let xml = Task { [turns, allTurns] in
            try await turns.run(app.app.id) {
                try await allTurns.run { try await Sitemap(self.pages(of: domain, app)).xml }
            }
        }
        made[host] = Made(xml: xml)
        do {
            let built = try await xml.value
            try await keep(built.count, of: host)
            return (built, app.app.id)
        } catch {
            made[host] = nil
            throw error
        }
    }

    /// Notes the size of a sitemap, and gives up the oldest ones if all together are too large.
    private func keep(_ bytes: Int, of host: String) async throws {
        let end = try await storage.read { $0.now } + Self.lifetime
        made[host]?.bytes = bytes
        made[host]?.end = end
        var total = made.values.reduce(0) { $0 + ($1.bytes ?? 0) }
        let others = made.filter { $0.key != host && $0.value.bytes != nil }.sorted { $0.value.end < $1.value.end }
        for (other, sitemap) in others where total > mostBytes {
            made[other] = nil
            givenUp[other] = sitemap.end
            total -= sitemap.bytes ?? 0
        }
    }

    /// Returns the newest link created by the app itself for each content item that the app itself describes and that may be listed, newest
    /// first. Beyond the limits, the content created last is preferred.
    private func pages(of domain: Domain, _ app: AppContext) async throws -> [Sitemap.Page] {
        var found: [(link: Link.ID, page: Sitemap.Page)] = []
        var last: UniversalObject.ID?
        var (seen, bytes) = (0, 0)
        let began = ContinuousClock.now
        while found.count < Sitemap.maximumPages, seen < reach, bytes < Sitemap.maximumBytes, .now - began < Self.patience {
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

extension JSONObject {
    /// Whether search engines may index the content (`$publicly_indexable`); true by default.
    fileprivate var isPubliclyIndexable: Bool {
        ControlParameters(["$publicly_indexable": self["$publicly_indexable"]?.scalarText ?? ""])
            .flag("$publicly_indexable", default: true)
    }
}
