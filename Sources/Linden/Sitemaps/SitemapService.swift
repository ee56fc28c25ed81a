/// Makes the sitemaps of hosts whose apps want one (`links.sitemap`).
///
/// Anybody may ask for a sitemap, and a large one takes seconds of reading, so each is made once in ten minutes at most, in pieces
/// that let others read in between.
package actor SitemapService {
    private struct Made {
        let at: Timestamp
        let xml: Task<[UInt8], any Error>
    }

    private static let lifetime = Duration.seconds(600)
    /// Objects that are read at a time.
    private static let batch = 500
    /// How many links of an object are looked at for one that may be listed.
    fileprivate static let tries = 20

    private let storage: any Storage
    private let directory: AppDirectory
    private let baseURL: BaseURL
    private var made: [String: Made] = [:]

    package init(storage: any Storage, directory: AppDirectory, baseURL: BaseURL) {
        self.storage = storage
        self.directory = directory
        self.baseURL = baseURL
    }

    /// The sitemap of a host in XML. Nil for a host that is no app's domain, or whose app wants none.
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
        let xml = Task { try await Sitemap(self.pages(of: domain, app.app.configuration)).xml }
        made[host] = Made(at: now, xml: xml)
        do {
            return try await xml.value
        } catch {
            made[host] = nil
            throw error
        }
    }

    /// Of each piece of content that may be listed, the newest link; the newest first. Where there is too much content, that which
    /// was made last.
    private func pages(of domain: Domain, _ configuration: AppConfiguration) async throws -> [Sitemap.Page] {
        var found: [(link: Link, updatedAt: Timestamp)] = []
        var last: UniversalObject.ID?
        while found.count < Sitemap.maximumPages {
            let (objects, links) = try await storage.read { [last] reader in
                let objects = try reader.objects(of: domain.scope, before: last, limit: Self.batch)
                return (objects, try objects.compactMap { try reader.listedLink(about: $0, on: domain.host, configuration) })
            }
            found += links
            guard let oldest = objects.last else { break }
            last = oldest.id
        }
        return found.sorted { $0.link.id.rawValue > $1.link.id.rawValue }
            .map { Sitemap.Page(url: baseURL.url(of: $0.link), modifiedAt: $0.updatedAt) }
    }
}

extension Reader {
    /// The newest link about an object that anybody may find and open, if the object may be listed.
    fileprivate func listedLink(
        about object: UniversalObject, on host: String, _ configuration: AppConfiguration
    ) throws -> (link: Link, updatedAt: Timestamp)? {
        guard object.data.isPubliclyIndexable, object.data.contentEnd.map({ $0 > now }) ?? true else { return nil }
        var last: Link.ID?
        for _ in 0..<SitemapService.tries {
            guard let found = try openLink(about: object.id, on: host, before: last) else { return nil }
            if found.link.mayBeListed(at: now, in: configuration) { return found }
            last = found.link.id
        }
        return nil
    }
}

extension Link {
    /// A one-time link is for one person, and a page that asks not to be listed has no place in a sitemap.
    fileprivate func mayBeListed(at time: Timestamp, in app: AppConfiguration) -> Bool {
        !isOneTimeUse && data.isPubliclyIndexable && !hasExpired(at: time, in: app)
    }
}
