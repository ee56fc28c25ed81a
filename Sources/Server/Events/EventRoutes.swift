import BranchWire
import Hummingbird
import Linden

/// What apps and pages report. Stored whole and acknowledged. What is wrong with them is counted, not answered: Branch answers every event alike, and apps in
/// the stores cannot be mended.
struct EventRoutes {
    let services: Services
    let options: ServerOptions

    /// A route for one kind of report.
    ///
    /// - Parameters:
    ///   - endpoint: the path, as it is stored with the event.
    ///   - name: the name of a report that has none of its own.
    ///   - answer: what SDKs expect. Never `branch_view_data` or `template`, which would switch something on.
    func record(
        _ endpoint: String, name: String = "unnamed", answer: JSON = .object([:])
    ) -> @Sendable (Request, LindenContext) async throws -> Response {
        { request, context in
            let body = try await request.fields(upTo: options.maximumBodyBytes)
            let app = try await context.app(body, of: services)
            let event = EventRequest(body)
            if !event.isTrackingDisabled {
                var new = event.event(
                    endpoint: endpoint, fallback: name, userAgent: request.header(.userAgent) ?? "", services.publicIDs)
                new.isAuthenticated = services.directory.accepts(body.branchSecret, of: app)
                let rewritten = try await services.events.record(new, for: app, from: options.clientAddress(of: request, context))
                context.admission?.charge(bytes: rewritten)
            }
            return .json(answer)
        }
    }
}
