import LindenKernel
import LinkRouting

/// A resolved link: the link with its app and what the click path needs of both.
package struct ResolvedLink: Sendable {
    /// The part shared by all look-ups of the link.
    private final class Stored: Sendable {
        let link: Link
        let app: AppContext
        let hasUsageLimit: Bool
        /// The match window of a visit that appends nothing.
        let matchWindow: Duration
        let end: Timestamp?
        /// The hosts of the link's own URLs, which visits may append URLs of. A long link names no hosts itself: its parameters are the query.
        let hosts: NamedHosts
        let decisions = DecisionCache()

        init(_ link: Link, _ app: AppContext, _ parameters: ControlParameters) {
            self.link = link
            self.app = app
            hasUsageLimit = link.hasUsageLimit
            matchWindow = link.matchWindow(appended: nil, atMost: app.longestMatch)
            end = link.end(in: app.app.configuration)
            hosts = link.isLong ? NamedHosts() : parameters.pageHosts
        }
    }

    private let stored: Stored
    package var link: Link { _read { yield stored.link } }
    package var app: AppContext { stored.app }
    /// ``Link/hasUsageLimit``, cached because every visit reads it.
    var hasUsageLimit: Bool { stored.hasUsageLimit }
    /// The decisions on visits that append nothing to the link. Only those with ``urls`` are cached.
    var decisions: DecisionCache { stored.decisions }
    package var parameters: ControlParameters { didSet { urls = nil } }
    /// The URLs of ``parameters``; nil if they were not computed once for all visits.
    private(set) var urls: LinkURLs?
    /// The query appended at the earlier click, if the link was found by a click of it.
    package var clickedQuery: String?
    /// The click or text message whose id the link was found by.
    package var via: Click.ID?
    /// When that click was made or that message sent; nil without one, or if a robot clicked.
    package var clickedAt: Timestamp?
    /// URLs of other sites in a long link, which are ignored.
    let refused: [URLParts]

    package init(
        link: Link, app: AppContext, parameters: ControlParameters, urls: LinkURLs? = nil, clickedQuery: String? = nil,
        via: Click.ID? = nil, clickedAt: Timestamp? = nil
    ) {
        stored = Stored(link, app, parameters)
        (self.parameters, refused) = link.isLong ? app.routing.trusted(longLink: parameters) : (parameters, [])
        self.urls = urls
        self.clickedQuery = clickedQuery
        self.via = via
        self.clickedAt = clickedAt
    }

    /// The memory of the hosts that its URLs name, in bytes.
    var hostBytes: Int { stored.hosts.byteCost }

    /// Splits an appended query into the items that count and the URLs of other sites, which are refused.
    package func trusted(_ query: [QueryItem]) -> (items: [QueryItem], refused: [URLParts]) {
        app.routing.trusted(query, naming: stored.hosts)
    }

    /// Returns how long a click may be matched, see ``Link/matchWindow(appended:atMost:)``.
    func matchWindow(appended query: String?) -> Duration {
        query == nil ? stored.matchWindow : link.matchWindow(appended: query, atMost: app.longestMatch)
    }

    /// Returns whether the link has expired, see ``Link/hasExpired(at:in:)``.
    func hasExpired(at time: Timestamp) -> Bool { stored.end.map { $0 <= time } ?? false }

    /// Whether another look-up found the same version of the link, its app and its domains.
    func isSameVersion(as other: ResolvedLink) -> Bool { stored === other.stored }

    /// Returns whether the click that the link was found by is still within its match window, so that what follows continues it.
    func continuesClick(at now: Timestamp) -> Bool {
        clickedAt.map { now < $0 + matchWindow(appended: clickedQuery) } ?? false
    }
}
