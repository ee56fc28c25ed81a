import Linden
import LindenKernel
import LindenServices

/// The demo's user of the dashboard. The password is random: other users of the machine reach the server, too.
struct DemoAccess {
    static let name = "demo"

    let url: String
    let password: String

    /// Creates the user. Returns nil if this program was built without passwords.
    static func create(_ services: Services) async throws -> DemoAccess? {
        guard services.dashboardUsers.acceptsSignIns else { return nil }
        let secret = try await services.dashboardUsers.create(name: name, role: .admin, app: nil).secret
        let password = "orchard-" + RandomSource.system.alphanumerics(10).lowercased()
        _ = try await services.dashboardUsers.setPassword(password, with: secret)
        return DemoAccess(url: services.baseURL.text + "/dashboard", password: password)
    }
}
