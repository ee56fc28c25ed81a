import Linden
import LindenKernel

extension DashboardUserService {
    /// The name of the user that the first start creates.
    package static let firstName = "admin"

    /// Whether this program was built with passwords, without which no user signs in.
    package var acceptsSignIns: Bool { passwords != nil }

    /// Returns the one-time secret of the first user, an administrator of all apps, as long as there is no user with a password: creates it if
    /// there is no user at all, and otherwise replaces the secret of the first user that this function created. An earlier secret ends.
    /// Returns nil if there are other users, who can be reset or invite others.
    package func firstUserSecret() async throws -> String? {
        guard acceptsSignIns else { return nil }
        let users = try await list()
        if users.isEmpty { return try await create(name: Self.firstName, role: .admin, app: nil).secret }
        guard users.count == 1, users[0].name == Self.firstName, users[0].status == .invited, users[0].role == .admin else {
            return nil
        }
        return try await reset(users[0].id).secret
    }
}
