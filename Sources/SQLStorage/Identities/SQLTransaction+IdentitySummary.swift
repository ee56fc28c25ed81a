import Linden
import LindenKernel
import LindenServices

extension SQLTransaction {
    package func summary(of identity: Identity) throws -> IdentitySummary {
        let user = identity.id
        let (first, last, sessions): (Session.ID?, Session.ID?, Int64) =
            try connection.first("SELECT MIN(id), MAX(id), COUNT(*) FROM sessions WHERE identity_id = \(user)") {
                ($0.optionalID(0), $0.optionalID(1), $0.integer(2))
            } ?? (nil, nil, 0)
        return IdentitySummary(
            identity: identity, devices: try newestDevices(of: user), firstSession: first, lastSession: last, sessions: sessions,
            referredInstalls: try referrals(by: user, kind: .install).total)
    }

    /// Returns an identity's newest apps, and after them its newest browsers.
    private func newestDevices(of user: Identity.ID) throws -> [Device] {
        let most = IdentitySummary.mostDevices
        let apps = try devices(of: user, areBrowsers: false, limit: most)
        return try apps + devices(of: user, areBrowsers: true, limit: most - apps.count)
    }
}
