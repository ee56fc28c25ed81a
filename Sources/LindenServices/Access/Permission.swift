import LindenKernel

/// A kind of access that a route of the management API, or a page of the dashboard, requires.
package enum Permission: Sendable, CaseIterable {
    /// Apps, links with their QR codes and previews, and reward rules.
    case readLinks
    /// Totals: statistics, analytics and reports, and exchange rates.
    case readTotals
    /// Settings, domains, app routes and tokens, and the findings of the doctor.
    case readSetUp
    /// The rows of all logs, with ids of devices and users: exports, the event stream, and copies of a person's data.
    case readRows
    /// Single clicks, sessions with their explanations, users, and their credits.
    case readSessions
    case createLinks
    case changeLinks
    /// Share totals with people who have neither a token nor a password.
    case shareTotals
    /// Grant and redeem credits.
    case moveCredits
    /// Everything else: apps, keys, settings, domains, tokens, reward rules, reversals, erasures, the audit log.
    case administer

    /// The roles that have the permission.
    package var roles: Set<Role> {
        switch self {
        case .readLinks: [.admin, .editor, .analyst, .support]
        case .readTotals: [.admin, .editor, .analyst]
        case .readSetUp, .readRows: [.admin, .editor]
        case .readSessions: [.admin, .editor, .support]
        case .createLinks: [.admin, .editor, .ingest]
        case .changeLinks, .shareTotals: [.admin, .editor]
        case .moveCredits: [.admin, .ingest]
        case .administer: [.admin]
        }
    }

    /// The roles of tokens that have the permission. Programs that export or copy data are of the role analyst, because they change
    /// nothing; people of this role see no rows and no sessions.
    package var rolesOfTokens: Set<Role> {
        switch self {
        case .readSetUp, .readRows, .readSessions: roles.union([.analyst])
        default: roles
        }
    }
}

extension AccessToken {
    package func may(_ permission: Permission) -> Bool { permission.rolesOfTokens.contains(role) }
}

extension Failure {
    /// - Parameter act: what requires the permission, as the beginning of the message.
    package static func needs(_ permission: Permission, for act: String = "This call", not role: Role) -> Failure {
        var names = Role.allCases.filter(permission.rolesOfTokens.contains).map(\.rawValue)
        let last = names.removeLast()
        let roles = names.isEmpty ? last : names.joined(separator: ", ") + " or " + last
        return Failure(.forbidden, "\(act) needs a token of the role \(roles), not \(role.rawValue).")
    }
}
