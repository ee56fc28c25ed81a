import Hummingbird
import Linden

/// For load balancers and monitors.
struct HealthRoutes {
    let services: Services

    /// The process answers.
    func live(_ request: Request, _ context: LindenContext) async throws -> Response {
        .json(["status": "ok"])
    }

    /// The database can be read, so requests can be answered.
    func ready(_ request: Request, _ context: LindenContext) async throws -> Response {
        _ = try await services.storage.read { try $0.knownBaseURL() }
        return .json(["status": "ready"])
    }
}
