import Hummingbird
import Linden

/// For load balancers and monitors.
struct HealthRoutes {
    let services: Services

    /// The process answers.
    func live(_ request: Request, _ context: LindenContext) async throws -> Response {
        .json(["status": "ok"])
    }

    /// The database can be read and its disk has room, so requests can be answered.
    func ready(_ request: Request, _ context: LindenContext) async throws -> Response {
        try services.disk.check()
        _ = try await services.storage.read { try $0.knownBaseURL() }
        return .json(["status": "ready"])
    }
}
