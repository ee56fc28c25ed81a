import HTTPTypes
import Hummingbird
import LindenKernel
import LindenServices

/// Middleware that applies the limits before a request is handled, and says whose call it is. They apply again once its branch key is known, see
/// ``LindenContext/admittedApp(branchKey:secret:bytes:amount:in:)``.
struct AdmissionMiddleware: RouterMiddleware {
    let limiter: RateLimiter
    let disk: DiskMonitor
    /// The way of operators' calls, for the audit log.
    var interface = OperatorCall.Interface.api

    func handle(
        _ request: Request, context: LindenContext, next: (Request, LindenContext) async throws -> Response
    ) async throws -> Response {
        let kind = CallClass(request.method, context.endpointPath)
        guard let call = kind.call else { return try await next(request, context) }
        let address = context.client
        if call == .visit {
            try limiter.admitVisit(from: address, query: request.rawQuery)
            // Most visits need no look-up, and come before all calls.
            guard request.takesTurns else { return try await next(request, context) }
            return try await CallOrigin.$current.withValue(origin(at: address)) { try await next(request, context) }
        }
        if !context.isRequestCounted { try limiter.admit(.request, of: nil, from: address) }
        let admission = Admission(call, from: address, by: limiter)
        if kind.writes { try disk.checkWrite() }
        var context = context
        context.admission = admission
        do {
            let response = try await CallOrigin.$current.withValue(origin(at: address)) {
                guard kind.mayBeOperators else {
                    guard interface == .dashboard else { return try await next(request, context) }
                    // The dashboard names the app once it has checked the session.
                    return try await Admission.$current.withValue(admission) { try await next(request, context) }
                }
                let call = OperatorCall(
                    interface, action: "\(request.method) \(context.endpointPath ?? "")", address: "\(address)")
                return try await Admission.$current.withValue(admission) {
                    try await OperatorCall.$current.withValue(call) { try await next(request, context) }
                }
            }
            if response.status.kind == .clientError { try admission.countWithoutKey() }
            return response
        } catch {
            try admission.countWithoutKey()
            throw error
        }
    }

    private func origin(at address: ClientAddress) -> CallOrigin? {
        limiter.network(of: address).map { CallOrigin(site: $0.site) }
    }
}
