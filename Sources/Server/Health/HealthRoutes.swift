import Hummingbird
import Linden

/// For load balancers and monitors.
struct HealthRoutes {
    let services: Services

    /// The process answers.
    func live(_ request: Request, _ context: LindenContext) async throws -> Response {
        .json(["status": "ok"])
    }

    /// The database can be read and written and its disk has room, so requests can be answered. Fails with `unavailable`.
    func ready(_ request: Request, _ context: LindenContext) async throws -> Response {
        try services.disk.check()
        _ = try await services.storage.read { try $0.knownBaseURL() }
        // Only a write shows whether there is room again.
        if services.storage.writeProblem != nil {
            try await services.storage.write { try $0.probe() }
        }
        return .json(["status": "ready"])
    }
}
