import Hummingbird
import Linden

/// Health checks for load balancers and monitors.
struct HealthRoutes {
    let services: Services

    /// `GET /healthz`: succeeds if the process responds.
    func live(_ request: Request, _ context: LindenContext) async throws -> Response {
        .json(["status": "ok"])
    }

    /// `GET /readyz`: succeeds if the database can be read and written and its disk has room. Fails with `unavailable`.
    func ready(_ request: Request, _ context: LindenContext) async throws -> Response {
        try services.disk.check()
        _ = try await services.storage.read { try $0.knownBaseURL() }
        // Only a write shows whether an earlier write problem persists.
        if services.storage.writeProblem != nil {
            try await services.storage.write { try $0.probe() }
        }
        return .json(["status": "ready"])
    }
}
