import Linden
import LindenKernel
import LindenReporting
import LindenServices

/// Clicks, installs, opens and events of an app as they happen. Without scripts: the latest of them, and a link to read them again.
extension Dashboard {
    private static let rowsShown = 50

    func livePage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        let (path, kind) = (PagePath.live(app.scope), LiveKind(rawValue: page.query["show"]) ?? .all)
        let platform = LivePlatform(rawValue: page.query["platform"])
        let rows = try await services.exports.latest(kind.topics, in: app.scope, limit: Self.rowsShown) { entry in
            let row = LiveRow(entry.members)
            return platform == nil || platform == row.platform ? row : nil
        }
        let table = Table(
            "Newest first",
            ["Time", "What", "Link", "System", "Country"].map { Table.Column(columnLabel: $0) }
                + [Table.Column(columnLabel: "Amount", isNumber: true)],
            rows.map { $0.cells(of: app.scope) })
        func address(_ kind: LiveKind, _ platform: LivePlatform?, of path: String) -> String {
            PagePath.query(path, [("show", kind == .all ? "" : kind.rawValue), ("platform", platform?.rawValue ?? "")])
        }
        var view = PageView(
            "Live", lead: "People's clicks, and what happens in the app, newest first.",
            [
                Block(
                    tabs: Tabs(
                        "Kind",
                        LiveKind.allCases.map {
                            ($0.title, address($0, platform, of: path), $0 == kind)
                        })),
                Block(
                    tabs: Tabs(
                        "Platform",
                        [("All platforms", address(kind, nil, of: path), platform == nil)]
                            + LivePlatform.allCases.map { ($0.title, address(kind, $0, of: path), $0 == platform) })),
                Block(
                    live: LiveTable(
                        streamHref: address(kind, platform, of: path + "/stream"),
                        refreshHref: address(kind, platform, of: path), linksHref: PagePath.links(app.scope),
                        sessionsHref: PagePath.sessions(app.scope),
                        liveNote: rows.isEmpty
                            ? "Nothing in the last 24 hours. Tap one of the app's links on a phone, and its click appears here."
                            : nil,
                        table: table)),
                Block(equivalents: .live(kind, app.key.branchKey)),
            ])
        view.scripts.append(Asset.live.path)
        var answer = view.of(app, user, section: path).answer()
        answer.connectsToItself = true
        return answer
    }

    /// The stream of the page's script. It ends when its user signs out, is disabled, or may not see the app any more.
    func liveStream(_ page: PageRequest) throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        guard let secret = page.request.sessionSecret else { throw Failure(.unauthorized, "Please sign in.") }
        let (kind, platform) = (LiveKind(rawValue: page.query["show"]) ?? .all, LivePlatform(rawValue: page.query["platform"]))
        let limit = page.query.text("limit").map { Int($0) ?? 0 }
        let users = services.dashboardUsers
        return DashboardAnswer(
            contentType: "text/event-stream",
            stream: DashboardStream(scope: app.scope, user: user.id, topics: kind.topics, platform: platform, limit: limit) {
                // A page that is left open does not count as use: the session would never end.
                guard let session = try await users.session(secret, isUse: false) else { return false }
                return session.user.maySee(app.scope.app) && Access.sessionReaders.admits(session.user.role)
            })
    }
}

/// A table to which a script adds rows.
struct LiveTable: Sendable, Equatable {
    let streamHref: String
    let refreshHref: String
    let linksHref: String
    let sessionsHref: String
    let liveNote: String?
    let table: Table
}

extension Equivalents {
    fileprivate static func live(_ kind: LiveKind, _ key: String) -> Equivalents {
        let topics = kind == .all ? "" : kind.topics.map(\.rawValue).joined(separator: ",")
        return Equivalents(
            command: "linden events tail --app \(key)" + (topics.isEmpty ? "" : " --topic \(topics)"),
            call: "GET " + PagePath.query("/api/v1/events/stream", [("app", key), ("topic", topics)]))
    }
}
