import Linden
import LindenKernel
import LindenServices
import Mustache
import Pages

/// A page as a value: what the template reads.
struct PageView: Sendable, Equatable {
    struct Navigation: Sendable, Equatable {
        let userName: String
        let userRole: String
        /// Nil unless the user may see the list of users, the audit log of the installation, and the server.
        let usersHref: String?
        let auditHref: String?
        let systemHref: String?
        let accountHref = PagePath.account
        let signOut = PagePath.signOut
    }

    struct AppNavigation: Sendable, Equatable {
        let appName: String
        let modeName: String
        let otherModeName: String
        let otherModeHref: String
        let items: [Item]
        /// Where the keys `/` and `c` lead; the latter is nil for a user who may not create links.
        let searchHref: String
        let createHref: String?
    }

    struct Item: Sendable, Equatable {
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
    /// The modules that the page loads. All of its content is there without them.
    var scripts: [String] = []
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
            "cell": PackageResources.cell_mustache, "preview": PackageResources.preview_mustache,
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
        guard let user else { return self }
        var page = self
        page.scripts.insert(contentsOf: [Asset.keys.path, Asset.times.path, Asset.copy.path], at: 0)
        let isAdministrator = Access.administrators.admits(user)
        page.navigation =
            Navigation(
                userName: user.name, userRole: user.role.rawValue, usersHref: isAdministrator ? PagePath.users : nil,
                auditHref: isAdministrator ? PagePath.wholeAudit : nil, systemHref: isAdministrator ? PagePath.system : nil)
        return page
    }

    /// Returns the page with the navigation of an app, as far as its user may go.
    ///
    /// - Parameter section: the path of the section that the page belongs to.
    func of(_ app: AppContext, _ user: DashboardUser, section: String) -> PageView {
        let scope = app.scope
        let sections: [(label: String, path: String, access: Access)] = [
            ("Overview", PagePath.app(scope), .reportReaders), ("Live", PagePath.live(scope), .sessionReaders),
            ("Analytics", PagePath.analytics(scope), .reportReaders),
            ("Links", PagePath.links(scope), .everyRole), ("Events", PagePath.events(scope), .reportReaders),
            ("Content", PagePath.content(scope), .reportReaders),
            ("Attribution", PagePath.sessions(scope), .sessionReaders),
            ("Identities", PagePath.identities(scope), .sessionReaders), ("Credits", PagePath.credits(scope), .sessionReaders),
            ("Rewards", PagePath.rewards(scope), .everyRole), ("Exports", PagePath.exports(scope), .logReaders),
            ("Domains", PagePath.domains(scope), .setUpReaders),
            ("Settings", PagePath.settings(scope), .setUpReaders), ("Tokens", PagePath.tokens(scope), .appAdministrators),
            ("Keys", PagePath.keys(scope), .administrators), ("Audit log", PagePath.audit(scope), .appAdministrators),
            ("Set-up", PagePath.setUp(scope), .setUpReaders),
        ]
        let other = Scope(app: scope.app, mode: scope.mode == .live ? .test : .live)
        var page = with(user)
        page.place = app.app.name
        page.appNavigation = AppNavigation(
            appName: app.app.name, modeName: scope.mode.name, otherModeName: other.mode.name,
            otherModeHref: Access.reportReaders.admits(user.role) ? PagePath.app(other) : PagePath.links(other),
            items: sections.filter { $0.access.admits(user) }
                .map { Item(itemLabel: $0.label, itemHref: $0.path, isHere: $0.path == section) },
            searchHref: PagePath.links(scope),
            createHref: Access.linkEditors.admits(user.role) ? PagePath.links(scope) + "/new" : nil)
        return page
    }
}
