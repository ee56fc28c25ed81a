import Linden
import LindenKernel
import LindenServices

/// Clicks of visitors, and the installs that follow them.
extension Installation {
    package func appWithLink() async throws -> (app: AppContext, path: String) {
        let app = try await services.directory.app(branchKey: createApp().live.key.branchKey)
        return (app, "/" + (try await services.links.create(NewLink(), for: app).address.path))
    }

    @discardableResult
    package func visit(_ path: String, from address: String) async throws -> VisitResult? {
        try await services.clicks.visit(
            Visit(host: "go.example.com", path: path, userAgent: UserAgents.iPhone, address: ClientAddress(address)!))
    }

    /// Returns how many of some installs at an address match a click.
    package func matches(_ app: AppContext, installs: Int, from address: String) async throws -> Int {
        var matches = 0
        for _ in 0..<installs {
            let session = try await services.sessions.start(
                SessionStart(
                    app: app, caller: .newInstallation, description: DeviceDescription(os: "iOS", osVersion: "17.5.1"),
                    address: ClientAddress(address)!))
            matches += session.data["+clicked_branch_link"] == true ? 1 : 0
        }
        return matches
    }
}
