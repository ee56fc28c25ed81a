import Foundation
import Linden
import LindenAPI
import LindenKernel
import LindenServices
import Logging

/// The dashboard: pages for people who sign in with a name and a password, made on the server.
///
/// It has neither SQL nor rules of its own: each page asks the services that HTTP and the command line ask, and shows the same views.
package struct Dashboard: Sendable {
    let services: Services
    private let settings: DashboardSettings
    /// Draws the QR code of a link's address, with the logo that the style names.
    let drawCode: DrawCode
    let sharedPages: SharedPages
    let recentAnswers: RecentAnswers
    /// The turns of pages with large tables, which threads make that all pages share.
    let pageTurns = AnswerTurns<App.ID>(of: "pages", atOnce: max(1, ProcessInfo.processInfo.activeProcessorCount - 1))
    /// Returns what the doctor finds about an app's host over the network, in a bounded time.
    let diagnose: Diagnose

    package typealias Diagnose = @Sendable (_ host: String, _ files: AssociationFiles, _ scope: Scope) async throws -> [Finding]

    package typealias DrawCode = @Sendable (_ url: String, _ renderer: QRCodeRenderer, _ scope: Scope) async throws -> [UInt8]

    /// - Parameter threads: those on which pages are made that do not end with the request for them.
    package init(
        services: Services, settings: DashboardSettings, threads: any TaskExecutor, drawCode: @escaping DrawCode,
        diagnose: @escaping Diagnose
    ) {
        sharedPages = SharedPages(on: threads)
        self.diagnose = diagnose
        self.services = services
        self.settings = settings
        recentAnswers = RecentAnswers { try await services.analytics.isLarge($0, now: services.clock.now()) }
        self.drawCode = drawCode
    }

    /// The address of the dashboard's host, for links that are given to people.
    var invitationBase: String { (try? settings.baseURL(services.baseURL))?.text ?? services.baseURL.text }

    /// Answers a request. Checks where a form comes from, the session, the role and the app, in this order, before anything else is looked
    /// up.
    package func answer(to request: DashboardRequest, logger: Logger) async -> DashboardAnswer {
        guard let (route, parameters) = DashboardRoute.find(request.method, request.path) else {
            return PageView("Not found", isNarrow: true, [.paragraph("There is no such page.")]).answer(.failed(.notFound))
        }
        var user: DashboardUser?
        do {
            if request.method == .post, !request.isFromOwnPage { throw Failure.otherSite }
            guard request.isSecure || request.isOnLoopback else { throw Failure.unencrypted }
            let session = try await session(of: request, for: route)
            user = session?.user
            if session == nil, route.access != .anyone { return .seeOther(returnPath(from: request)) }
            let app = try await app(of: route, parameters, for: user)
            if let app { try Admission.current?.admitOperator(of: app.scope) }
            if route.changesApp { try Admission.current?.admit(.changeApp) }
            try request.checkFields()
            if let user { OperatorCall.identify(.user(user), action: "\(route.method.rawValue) \(route.pattern)") }
            return try await route.handle(
                self, PageRequest(request: request, parameters: parameters, session: session, foundApp: app))
        } catch let failure as Failure {
            return PageView.failure(failure).with(user).answer(.failed(failure.code, retryAfter: failure.retryAfter))
        } catch is CancellationError {
            return PageView.failure(.cancelled).with(user).answer(.failed(Failure.cancelled.code))
        } catch {
            // The pattern rather than the path, which may have a secret.
            logger.error("A page failed.", metadata: ["page": "\(route.pattern)", "error": "\(error)"])
            let view = PageView("Something went wrong", [.problem("Internal error. The server's log has details.")])
            return view.with(user).answer(.broken)
        }
    }

    private func session(of request: DashboardRequest, for route: DashboardRoute) async throws -> DashboardSession? {
        guard route.access != .anyone, let secret = request.sessionSecret else { return nil }
        return try await services.dashboardUsers.session(secret)
    }

    /// Returns the app that the path names. Its user's role and app are checked before it is looked up, and an app that the user may not see
    /// is answered like one that does not exist.
    private func app(of route: DashboardRoute, _ parameters: [String: String], for user: DashboardUser?) async throws -> AppContext?
    {
        guard let user, route.access != .anyone else { return nil }
        guard route.access.admits(user.role) else { throw Failure.otherRole(user.role) }
        if case .allApps = route.access, user.app != nil { throw Failure.oneApp }
        guard let segment = parameters["app"] else { return nil }
        guard let scope = PagePath.scope(segment), user.maySee(scope.app),
            let app = try await services.directory.app(scope: scope)
        else { throw Failure.notFound("There is no such app.") }
        return app
    }

    /// The sign-in page, which leads back to the page of a request. A form that was sent without a session leads to the page at its path.
    private func returnPath(from request: DashboardRequest) -> String {
        let isPage = request.method == .get || DashboardRoute.find(.get, request.path) != nil
        let query = request.method == .get ? request.query : nil
        let target = request.path + (query.map { "?" + $0 } ?? "")
        return PagePath.query(PagePath.signIn, [("to", isPage ? PagePath.returning(to: target) ?? "" : "")])
    }
}

/// A request with what its route has checked.
struct PageRequest: Sendable {
    let request: DashboardRequest
    let parameters: [String: String]
    let session: DashboardSession?
    fileprivate let foundApp: AppContext?

    fileprivate init(
        request: DashboardRequest, parameters: [String: String], session: DashboardSession?, foundApp: AppContext?
    ) {
        self.request = request
        self.parameters = parameters
        self.session = session
        self.foundApp = foundApp
    }

    var query: FormFields { FormFields(request.query ?? "") }
    var form: FormFields { FormFields(String(decoding: request.body, as: UTF8.self)) }

    /// The signed-in user. Fails for a route without users, which is an error of the table of routes.
    var user: DashboardUser {
        get throws {
            guard let session else { throw Failure(.unauthorized, "Please sign in.") }
            return session.user
        }
    }

    /// The app that the path names. Fails for a route without one, which is an error of the table of routes.
    var app: AppContext {
        get throws {
            guard let foundApp else { throw Failure.notFound("There is no such app.") }
            return foundApp
        }
    }

    func parameter(_ name: String) -> String { parameters[name] ?? "" }
}

extension DashboardRequest {
    /// The secret of the session; nil without one.
    var sessionSecret: String? { cookie(SessionCookie.name(isSecure: isSecure)).flatMap { $0.isEmpty ? nil : $0 } }
}

extension PageView {
    static func failure(_ failure: Failure) -> PageView {
        let title =
            switch failure.code {
            case .notFound, .gone: "Not found"
            case .forbidden, .unauthorized: "Not allowed"
            default: "This did not work"
            }
        return PageView(
            title, isNarrow: true,
            [.problem(failure.message), .buttons([Button(buttonLabel: "To the start page", buttonHref: PagePath.root)])])
    }
}

extension Failure {
    fileprivate static let otherSite = Failure(
        .forbidden,
        "The form was sent from another site, or by a browser that does not say from where. Please send it again from its page.")

    fileprivate static let unencrypted = Failure(
        .forbidden,
        "The dashboard is served over https, or on this machine itself (localhost). Set http.base_url to the https address of a proxy."
    )

    fileprivate static let oneApp = Failure(.forbidden, "This page is for users of all apps.")

    fileprivate static func otherRole(_ role: DashboardUser.Role) -> Failure {
        Failure(.forbidden, "This page is not for users with the role \(role.rawValue).")
    }
}
