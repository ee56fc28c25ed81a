import LindenKernel
import LinkRouting

/// The limits of a link: an expiry time and a maximum number of clicks.
package struct LinkLimits: Sendable, Equatable {
    package var expiresAt: Timestamp?
    /// The redirect target afterwards; if nil, the domain's URL for expired links, else a page that says so.
    package var expiredURL: String?
    /// The maximum number of clicks; robots are not counted.
    package var maxClicks: Int64?

    package init(expiresAt: Timestamp? = nil, expiredURL: String? = nil, maxClicks: Int64? = nil) {
        self.expiresAt = expiresAt
        self.expiredURL = expiredURL
        self.maxClicks = maxClicks
    }

    func check() throws {
        if let expiredURL {
            let parts = URLParts(expiredURL)
            guard ["http", "https"].contains(parts.scheme), !parts.host.isEmpty, expiredURL.utf8.count <= 2048,
                expiredURL.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
            else {
                throw Failure.invalid(
                    "expired_url must be a URL that begins with https:// or http:// and has no spaces or control characters.")
            }
        }
        if let maxClicks, maxClicks < 1 { throw Failure.invalid("max_clicks must be a number of clicks, 1 or more.") }
    }

    /// The limits that are set, by their names in API calls.
    package var members: JSONObject {
        var members = JSONObject()
        if let expiresAt { members["expires_at"] = .string(expiresAt.iso8601) }
        if let expiredURL { members["expired_url"] = .string(expiredURL) }
        if let maxClicks { members["max_clicks"] = .integer(maxClicks) }
        return members
    }
}

/// The availability of a link to a visitor.
package enum LinkAvailability: Sendable {
    case available
    /// A consumed one-time link: it leads to the web only.
    case consumed
    /// Expired, or without clicks left.
    case expired
}

extension Link {
    /// Whether the link has a usage limit, so that only the database knows its availability.
    var hasUsageLimit: Bool { !isLong && (isOneTimeUse || limits.maxClicks != nil) }

    /// Whether a visit of the link may open the app on a phone: it is neither consumed nor expired, nor for the web only.
    package func opensApp(at time: Timestamp, in app: AppConfiguration) -> Bool {
        !isUsedUp && !hasExpired(at: time, in: app)
            && !["$web_only", "$mobile_web_only"].contains { controlParameters.flag($0, default: false) }
    }

    /// Returns whether the link has expired: by its own time, or by its content's if the app enables that.
    package func hasExpired(at time: Timestamp, in app: AppConfiguration) -> Bool {
        end(in: app).map { $0 <= time } ?? false
    }

    /// Returns when the link expires, see ``hasExpired(at:in:)``; nil if never.
    func end(in app: AppConfiguration) -> Timestamp? {
        let ends = [limits.expiresAt, app["links.expire_with_content"] == "true" ? data.contentEnd : nil]
        return ends.compactMap { $0 }.min()
    }
}

extension ResolvedLink {
    /// Returns the destination of the expired link: its own URL for that case if the app allows it, else its domain's, else nowhere.
    package func destinationOnceExpired(on domain: Domain?) -> Destination {
        let own = link.limits.expiredURL.flatMap { app.routing.allows($0) ? $0 : nil }
        return Destination((own ?? domain?.pages.expiredURL).map { .redirect(.unchanged($0)) } ?? .nowhere, reason: .ended)
    }
}

extension LinkReader {
    /// Returns the availability of a link with a usage limit.
    ///
    /// - Parameter isTaken: whether one of its clicks was taken for this visit already.
    package func availability(of link: Link, isTaken: Bool = false) throws -> LinkAvailability {
        guard link.hasUsageLimit, let status = try linkStatus(link.id) else { return .available }
        if !isTaken, link.limits.maxClicks != nil, try !hasClicksLeft(link.id) { return .expired }
        return status.isUsedUp ? .consumed : .available
    }
}

extension LinkRepository {
    /// Takes one click of a link with a usage limit, if one is left, and returns the link's availability for it.
    ///
    /// - Parameter isTaken: whether the visit continues a click that was taken already.
    func availabilityTakingClick(of link: Link, isTaken: Bool = false) throws -> LinkAvailability {
        if !isTaken, link.limits.maxClicks != nil, try !takeClick(of: link.id) { return .expired }
        return try availability(afterClickOn: link)
    }

    private func availability(afterClickOn link: Link) throws -> LinkAvailability {
        guard link.isOneTimeUse, let status = try linkStatus(link.id) else { return .available }
        return status.isUsedUp ? .consumed : .available
    }
}

extension Failure {
    package static let linkEnded = Failure(.gone, "This link has expired.")
}
