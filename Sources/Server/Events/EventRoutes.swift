import BranchWire
import Hummingbird
import Linden
import LindenKernel
import LindenServices

/// Events that apps and pages report, stored in full and acknowledged. Faults are counted rather than returned: Branch acknowledges all
/// events alike, and published apps cannot be corrected.
struct EventRoutes {
    let directory: AppDirectory
    let events: EventService
    let publicIDs: PublicIDs
    let options: ServerOptions

    /// Returns the handler of an event route.
    ///
    /// - Parameters:
    ///   - endpoint: the path, stored with the event.
    ///   - name: the name of events that have none of their own.
    ///   - answer: the response that SDKs expect. Never with `branch_view_data` or `template`, which would enable features in the SDK.
    func record(
        _ endpoint: String, name: String = "unnamed", answer: JSON = .object([:])
    ) -> @Sendable (Request, LindenContext) async throws -> Response {
        { request, context in
            let body = try await request.fields(upTo: options.maximumBodyBytes)
            let app = try await context.admittedApp(body, in: directory)
            let event = EventRequest(body)
            if !event.isTrackingDisabled {
                var new = event.event(
                    endpoint: endpoint, fallback: name, userAgent: request.header(.userAgent) ?? "", publicIDs)
                new.isAuthenticated = directory.accepts(body.branchSecret, of: app)
                let work = new.facts.contentWork
                CallOrigin.current?.add(work: work)
                context.admission?.charge(calls: work)
                let stored = try await events.record(new, for: app, from: context.client)
                context.admission?.charge(bytes: stored)
            }
            return .json(answer)
        }
    }
}
