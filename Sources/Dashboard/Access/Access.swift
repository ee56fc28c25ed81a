import Linden
import LindenServices

/// Who may see a page, or take an action, of the dashboard.
package enum Access: Sendable, Equatable {
    /// Without signing in.
    case anyone
    /// Any user.
    case signedIn
    /// Users with one of these roles, for the app that the path names.
    case app(Set<DashboardUser.Role>)
    /// Users with one of these roles for all apps. The path may name one of them.
    case allApps(Set<DashboardUser.Role>)

    static let everyRole = Access.app(roles(.readLinks))
    /// Links are read by all roles, and changed by these.
    static let linkEditors = Access.app(roles(.changeLinks))
    /// Questions about figures are shared with people who do not sign in by these.
    static let questionSharers = Access.app(roles(.shareTotals))
    static let reportReaders = Access.app(roles(.readTotals))
    static let setUpReaders = Access.app(roles(.readSetUp))
    /// The rows of the logs, with the ids of devices and users, are exported by these.
    static let logReaders = Access.app(roles(.readRows))
    /// Administrators of the app, who change credits, settings, domains and tokens.
    static let appAdministrators = Access.app(roles(.administer))
    static let administrators = Access.allApps(roles(.administer))
    static let sessionReaders = Access.app(roles(.readSessions))

    private static func roles(_ permission: Permission) -> Set<DashboardUser.Role> {
        Set(DashboardUser.Role.allCases.filter { $0.may(permission) })
    }

    /// Whether a user may use the page, of an app that it may see.
    func admits(_ user: DashboardUser) -> Bool {
        if case .allApps = self, user.app != nil { return false }
        return admits(user.role)
    }

    /// Whether a user has the role. Whether it may see the app is a question of its own, see ``DashboardUser/maySee(_:)``.
    package func admits(_ role: DashboardUser.Role) -> Bool {
        switch self {
        case .anyone, .signedIn: true
        case .app(let roles), .allApps(let roles): roles.contains(role)
        }
    }
}

extension DashboardUser {
    /// Whether the user may see an app at all.
    func maySee(_ app: App.ID) -> Bool { self.app == nil || self.app == app }
}
