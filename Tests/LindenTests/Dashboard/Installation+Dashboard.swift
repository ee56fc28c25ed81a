import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// The password of every user of a test.
let orchardPassword = "an orchard in bloom"

extension Installation {
    var users: DashboardUserService { services.dashboardUsers }

    /// Creates a user and sets the password.
    @discardableResult
    func createUser(_ name: String = "ann", role: DashboardUser.Role = .admin) async throws -> DashboardUser {
        let secret = try await users.create(name: name, role: role, app: nil).secret
        return try await users.setPassword(orchardPassword, with: secret)
    }

    @discardableResult
    func signIn(
        _ name: String = "ann", _ password: String = orchardPassword, from address: String = "203.0.113.7"
    ) async throws -> (session: DashboardSession, secret: String) {
        try await users.signIn(name: name, password: password, from: try #require(ClientAddress(address)))
    }

    /// The failure of a sign-in.
    func refusedSignIn(
        _ name: String = "ann", _ password: String = "an orchard in winter", from address: String = "203.0.113.7"
    ) async throws -> Failure {
        try await failure { _ = try await signIn(name, password, from: address) }
    }

    /// The failure of a call.
    func failure(of call: () async throws -> Void) async throws -> Failure {
        try #require(await #expect(throws: Failure.self) { try await call() })
    }

    func isSignedIn(_ secret: String) async throws -> Bool { try await users.session(secret) != nil }
}
