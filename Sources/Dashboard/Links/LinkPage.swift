import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

/// One link: where it leads, its figures, its code and its latest clicks.
extension Dashboard {
    private static let clicksShown = 10

    func linkPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user, now) = (try page.app, try page.user, services.clock.now())
        let link = try await link(page)
        let url = services.links.url(of: link)
        let inspection = link.deletedAt == nil ? try await services.clicks.inspect(url: url) : nil
        let daily = try await services.statistics.dailyStatistics(
            of: link.id, in: link.scope, days: 2 * LinkClicks.days)
        let day = try ExportRange(from: now - .seconds(86400), to: now + .milliseconds(1))
        let visitor = ClickVisitor(rawValue: page.query["visitor"])
        let latest =
            Access.sessionReaders.admits(user.role)
            ? try await services.clickLists.list(of: link.scope, link: link.id, by: visitor, in: day, limit: Self.clicksShown)
                .clicks
            : nil
        let mayRead = Access.linkEditors.admits(user.role)
        let changes = mayRead ? try await changes(of: link) : []
        let events =
            changes.filter { $0.subject.change == .changed }.map { Chart.Event(time: $0.time, text: "changed by \($0.who)") }
            + [Chart.Event(time: link.createdAt, text: "created")]
        let details = LinkDetails(
            link: link, url: url, figures: try await services.statistics.statistics(of: link.id, in: link.scope),
            preview: inspection.map { LinkPreview($0, services.baseURL, at: now) },
            daily: LinkClicks(daily.map { ($0.day, $0.statistics.clicks) }, events: events),
            latest: latest?.map { $0.view(services.publicIDs) }, visitor: visitor,
            history: mayRead ? .history(changes, services.publicIDs) : nil, saved: page.query["saved"],
            warnings: app.linkWarnings(for: link.data))
        return PageView.link(details, of: app, for: user.role).of(app, user, section: PagePath.links(app.scope)).answer()
    }

    /// Returns the link that the path names by its id. Fails with `notFound` for a link of another app or side.
    func link(_ page: PageRequest) async throws -> Link { try await link(page.parameter("link"), page) }

    /// Returns a link by its id. Fails with `notFound` for a link of another app or side.
    func link(_ id: String, _ page: PageRequest) async throws -> Link {
        guard let id = Int64(id), let link = try await services.links.link(Link.ID(rawValue: id)),
            link.scope == (try page.app).scope
        else { throw Failure.notFound("There is no such link.") }
        return link
    }
}
