import LinkRouting
import Logging

/// A request for a link, as a face received it.
package struct Visit: Sendable {
    package var host: String
    /// As requested, percent escapes and all.
    package var path: String
    package var query: String?
    package var userAgent: String
    package var referrer: String?
    package var address: ClientAddress
    /// The browser is loading ahead of its user (`Sec-Purpose`, `Purpose`, `X-Moz`).
    package var isPrefetch: Bool
    /// A HEAD request: answered like a GET, but nobody has come.
    package var isHead: Bool

    package init(
        host: String, path: String, query: String? = nil, userAgent: String, referrer: String? = nil, address: ClientAddress,
        isPrefetch: Bool = false, isHead: Bool = false
    ) {
        self.host = host
        self.path = path
        self.query = query
        self.userAgent = String(decoding: userAgent.utf8.prefix(Visit.longestUserAgent), as: UTF8.self)
        self.referrer = referrer
        self.address = address
        self.isPrefetch = isPrefetch
        self.isHead = isHead
    }

    /// In bytes. A browser says who it is in some 200; nothing is read beyond what is stored anyway.
    private static let longestUserAgent = 512
}

/// What to answer a visit with. The click, if there was one, is durable.
package struct Redirection: Sendable {
    package let link: Link
    package let app: AppContext
    package let destination: Destination
    /// The click's id as the wire shows it.
    package let clickID: String
}

/// What to do with a visitor whose click cannot be recorded (`clicks.on_failure`).
package enum ClickFailurePolicy: String, Sendable, CaseIterable {
    /// Answer with an error that a retry can help: no visit goes uncounted.
    case refuse
    /// Send the visitor on all the same: no visitor is lost, but the click is.
    case redirect
}

/// Answers visits to links: find, decide, record.
package struct ClickService: Sendable {
    private let storage: any Storage
    private let links: LinkDirectory
    private let publicIDs: PublicIDs
    private let onFailure: ClickFailurePolicy
    private let logger: Logger
    private let visitors = VisitorCache()

    package init(
        storage: any Storage, links: LinkDirectory, publicIDs: PublicIDs, onFailure: ClickFailurePolicy, logger: Logger
    ) {
        self.logger = logger
        self.onFailure = onFailure
        self.storage = storage
        self.links = links
        self.publicIDs = publicIDs
    }

    /// Decides where a visit leads and records it. Returns only once the record is durable; nil if there is no such link.
    package func visit(_ visit: Visit) async throws -> Redirection? {
        guard let found = try await links.link(host: visit.host, path: visit.path) else { return nil }
        var visitor = visitors.visitor(userAgent: visit.userAgent)
        let parameters = found.parameters.overridden(by: URLParts.queryItems(visit.query ?? ""))
        let destination = decide(link: parameters, app: found.app.routing, visitor: visitor)
        // A page that was loaded ahead may be shown later, so its user gets what he would get; but nobody has come yet.
        if visit.isPrefetch { visitor.robot = visitor.robot ?? .prefetch }
        let click = visit.isHead ? nil : try await recordIfPossible(visit, visitor, found.link, destination)
        return Redirection(
            link: found.link, app: found.app, destination: destination, clickID: click.map { publicIDs.string(for: $0) } ?? "0")
    }

    /// Nil for a click that could not be recorded, where the operator would rather lose the click than the visitor. Such a click
    /// has no id, so nobody can take it for a recorded one.
    private func recordIfPossible(
        _ visit: Visit, _ visitor: Visitor, _ link: Link, _ destination: Destination
    ) async throws -> Click.ID? {
        do {
            return try await record(visit, visitor, link, destination)
        } catch let failure as Failure where failure.code == .unavailable && onFailure == .redirect {
            logger.warning("A click was lost: its visitor was sent on.", metadata: ["link": "\(link.id)", "reason": "\(failure)"])
            return nil
        }
    }

    private func record(
        _ visit: Visit, _ visitor: Visitor, _ link: Link, _ destination: Destination
    ) async throws -> Click.ID {
        let address = visit.address.matchKey
        return try await storage.write { transaction in
            let click = Click(
                id: try transaction.newID(), link: link.id, scope: link.scope, visitor: visitor, address: address,
                userAgent: visit.userAgent, referrer: visit.referrer, query: visit.query, reason: destination.reason)
            try transaction.insert(click)
            if let open = OpenClick(click, of: link, leadingTo: destination, at: transaction.now) {
                try transaction.insert(open)
            }
            return click.id
        }
    }
}

extension OpenClick {
    /// A click stays open for an install if a person made it, on a system that tells its version, on the way to the app.
    init?(_ click: Click, of link: Link, leadingTo destination: Destination, at time: Timestamp) {
        guard click.visitor.robot == nil, destination.canOpenApp, let os = click.visitor.os,
            let version = click.visitor.osVersion, !click.address.isEmpty, link.matchWindow > .zero
        else { return nil }
        self.init(
            click: click.id, link: link.id,
            fingerprint: Fingerprint(scope: click.scope, address: click.address, os: os, osVersion: version),
            expiresAt: time + link.matchWindow)
    }
}
