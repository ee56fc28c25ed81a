/// A role of access tokens and of users of the dashboard: a set of permissions.
///
/// Users have all but `ingest`, see ``DashboardUser/Role``. What each may do is in one table, ``Permission/roles``.
package enum Role: String, Sendable, CaseIterable {
    /// Reads and changes everything.
    case admin
    /// Reads everything, changes links, and shares totals with people who do not sign in.
    case editor
    /// Reads totals, reports and links. A token of this role also reads the set-up, rows and sessions, see ``AccessToken/may(_:)``.
    case analyst
    /// Looks up links, and the sessions and credits of single users.
    case support
    /// Sends what a server of the app sends all day: creates links, grants and redeems credits. It reads nothing and changes no existing
    /// link, so that a leaked token neither shows data nor leads visitors elsewhere. Events need no token but the branch key.
    case ingest
}
