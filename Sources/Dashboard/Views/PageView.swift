import Linden
import LindenKernel
import LindenServices
import Mustache
import Pages

/// A page as a value: what the template reads.
struct PageView: Sendable {
    struct Navigation: Sendable {
        let userName: String
        let userRole: String
        /// Nil unless the user may see the list of users.
        let usersHref: String?
        let signOut = PagePath.signOut
    }

    struct AppNavigation: Sendable {
        let appName: String
        let modeName: String
        let otherModeName: String
        let otherModeHref: String
        let items: [Item]
    }

    struct Item: Sendable {
        let itemLabel: String
        let itemHref: String
        let isHere: Bool
    }

    let title: String
    /// The part of the title after the page's own, such as the app's name.
    var place = "Linden"
    var lead: String?
    var blocks: [Block]
    var navigation: Navigation?
    var appNavigation: AppNavigation?
    /// Whether the page is one small form, as for signing in.
    var isNarrow = false
    let stylesheet = Asset.style.path
    let home = PagePath.root

    init(_ title: String, lead: String? = nil, isNarrow: Bool = false, _ blocks: [Block]) {
        self.title = title
        self.lead = lead
        self.isNarrow = isNarrow
        self.blocks = blocks
    }

    /// Returns the page as a response.
    func answer(_ outcome: DashboardAnswer.Outcome = .found) -> DashboardAnswer {
        let html = Self.library.render(TemplateValues.of(self), withTemplate: "layout") ?? ""
        return DashboardAnswer(outcome: outcome, body: Array(html.utf8))
    }

    private static let library: MustacheLibrary = {
        let files = [
            "layout": PackageResources.layout_mustache, "block": PackageResources.block_mustache,
            "table": PackageResources.table_mustache, "form": PackageResources.form_mustache,
            "cell": PackageResources.cell_mustache,
        ]
        do {
            return MustacheLibrary(
                templates: try files.mapValues { try MustacheTemplate(string: String(decoding: $0, as: UTF8.self)) })
        } catch {
            preconditionFailure("an embedded template does not parse: \(error)")
        }
    }()
}

extension PageView {
    /// Returns the page with the name of its user, and the way to sign out.
    func with(_ user: DashboardUser?) -> PageView {
        var page = self
        page.navigation = user.map {
            Navigation(
                userName: $0.name, userRole: $0.role.rawValue,
                usersHref: $0.app == nil && Access.administrators.admits($0.role) ? PagePath.users : nil)
        }
        return page
    }

    /// Returns the page with the navigation of an app, as far as its user may go.
    ///
    /// - Parameter section: the path of the section that the page belongs to.
    func of(_ app: AppContext, _ user: DashboardUser, section: String) -> PageView {
        let scope = app.scope
        let sections: [(label: String, path: String, access: Access)] = [
            ("Overview", PagePath.app(scope), .reportReaders), ("Analytics", PagePath.analytics(scope), .reportReaders),
            ("Links", PagePath.links(scope), .everyRole),
            ("Attribution", PagePath.sessions(scope), .sessionReaders),
            ("Identities", PagePath.identities(scope), .sessionReaders), ("Credits", PagePath.credits(scope), .sessionReaders),
            ("Rewards", PagePath.rewards(scope), .everyRole), ("Exports", PagePath.exports(scope), .logReaders),
            ("Domains", PagePath.domains(scope), .setUpReaders),
            ("Settings", PagePath.settings(scope), .setUpReaders), ("Tokens", PagePath.tokens(scope), .appAdministrators),
            ("Set-up", PagePath.setUp(scope), .setUpReaders),
        ]
        let other = Scope(app: scope.app, mode: scope.mode == .live ? .test : .live)
        var page = with(user)
        page.place = app.app.name
        page.appNavigation = AppNavigation(
            appName: app.app.name, modeName: scope.mode.name, otherModeName: other.mode.name,
            otherModeHref: Access.reportReaders.admits(user.role) ? PagePath.app(other) : PagePath.links(other),
            items: sections.filter { $0.access.admits(user.role) }
                .map { Item(itemLabel: $0.label, itemHref: $0.path, isHere: $0.path == section) })
        return page
    }
}
