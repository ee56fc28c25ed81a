import LinkRouting

/// Until when and how often a link leads where it says.
package struct LinkLimits: Sendable, Equatable {
    package var expiresAt: Timestamp?
    /// Where people are sent afterwards; if nil, to the domain's address for that, or to a page that says so.
    package var expiredURL: String?
    /// People's clicks; robots take none.
    package var maxClicks: Int64?

    package init(expiresAt: Timestamp? = nil, expiredURL: String? = nil, maxClicks: Int64? = nil) {
        self.expiresAt = expiresAt
        self.expiredURL = expiredURL
        self.maxClicks = maxClicks
    }

    func check() throws {
        if let expiredURL {
            let parts = URLParts(expiredURL)
            guard ["http", "https"].contains(parts.scheme), !parts.host.isEmpty, expiredURL.utf8.count <= 2048 else {
                throw Failure.invalid("expired_url must be a URL that begins with https:// or http://.")
            }
        }
        if let maxClicks, maxClicks < 1 { throw Failure.invalid("max_clicks must be a number of clicks, 1 or more.") }
    }

    /// The limits that are set, under their names in calls.
    package var members: JSONObject {
        var members = JSONObject()
        if let expiresAt { members["expires_at"] = .string(expiresAt.iso8601) }
        if let expiredURL { members["expired_url"] = .string(expiredURL) }
        if let maxClicks { members["max_clicks"] = .integer(maxClicks) }
        return members
    }
}

/// How a link stands when somebody comes.
enum LinkStanding: Sendable {
    case good
    /// A one-time link that has had its session: it leads to the web alone.
    case used
    /// Past its time or its last click.
    case ended
}

extension Link {
    /// Whether only the database knows how the link stands.
    var isCounted: Bool { !isLong && (isOneTimeUse || limits.maxClicks != nil) }

    /// Whether the link's time is over: its own, or that of its content where the app wants it so.
    func hasExpired(at time: Timestamp, in app: AppConfiguration) -> Bool {
        if let end = limits.expiresAt, end <= time { return true }
        guard app["links.expire_with_content"] == "true", let end = data.contentEnd else { return false }
        return end <= time
    }
}

extension FoundLink {
    /// Where the link leads once it has expired: to its own address for then, else to its domain's; nowhere without either.
    func destinationOnceExpired(on domain: Domain?) -> Destination {
        let own = link.limits.expiredURL.flatMap { app.routing.allows($0) ? $0 : nil }
        return Destination((own ?? domain?.pages.expiredURL).map { .redirect(.web($0)) } ?? .nowhere, reason: .ended)
    }
}

extension Reader {
    /// How a counted link stands.
    ///
    /// - Parameter isTaken: whether one of its clicks was taken for this.
    func standing(of link: Link, isTaken: Bool = false) throws -> LinkStanding {
        guard link.isCounted, let stored = try self.link(link.id) else { return .good }
        if !isTaken, link.limits.maxClicks != nil, try !hasClicksLeft(link.id) { return .ended }
        return stored.isUsedUp ? .used : .good
    }
}

extension Transaction {
    /// How a counted link stands for one more click, which is taken if it may be.
    ///
    /// - Parameter isTaken: the click goes on with one that was taken.
    func standingTakingClick(of link: Link, isTaken: Bool = false) throws -> LinkStanding {
        if !isTaken, link.limits.maxClicks != nil, try !takeClick(of: link.id) { return .ended }
        return try standing(afterClickOn: link)
    }

    private func standing(afterClickOn link: Link) throws -> LinkStanding {
        guard link.isOneTimeUse, let stored = try self.link(link.id) else { return .good }
        return stored.isUsedUp ? .used : .good
    }
}

extension Failure {
    package static let linkEnded = Failure(.gone, "This link has expired.")
}
