import Hummingbird
import Linden
import NIOCore
import Synchronization

/// The share of a budget that one body holds until its request is answered.
private final class BodyShare: Sendable {
    private let budget: SharedBudget
    private let client: ClientNetwork
    private let counts = Mutex((arrived: 0, taken: 0))

    init(_ budget: SharedBudget, of address: ClientAddress) {
        self.budget = budget
        client = ClientNetwork(address)
    }

    /// Adds received bytes to the share. Fails with `unavailable` if the budget has no room.
    func add(_ count: Int) throws(Failure) {
        let new = counts.withLock { counts in
            counts.arrived += count
            return max(0, counts.arrived - BodyBudgetMiddleware.freeBytes) - counts.taken
        }
        guard new > 0 else { return }
        guard budget.take(new, of: client) else {
            throw .unavailable("Too many large requests are being read just now; please try again.")
        }
        counts.withLock { $0.taken += new }
    }

    deinit {
        let taken = counts.withLock { $0.taken }
        if taken > 0 { budget.giveBack(taken, of: client) }
    }
}

/// Middleware that limits the total memory of request bodies, from their arrival to the end of the response.
///
/// The first ``freeBytes`` of a body are not counted. SDKs send less, so large bodies cannot block apps. Parsed, a body may take twenty
/// times its size.
struct BodyBudgetMiddleware: RouterMiddleware {
    /// Bytes of each body that are not counted.
    static let freeBytes = 16 << 10

    private let options: ServerOptions
    private let budget: SharedBudget

    init(options: ServerOptions) {
        self.options = options
        budget = SharedBudget(max(32 << 20, 8 * max(options.maximumBodyBytes, options.maximumBulkBytes)))
    }

    func handle(
        _ request: Request, context: LindenContext, next: (Request, LindenContext) async throws -> Response
    ) async throws -> Response {
        guard request.mayHaveLargeBody else { return try await next(request, context) }
        let share = BodyShare(budget, of: options.clientAddress(of: request, context))
        var request = request
        request.body = RequestBody(
            asyncSequence: request.body.map { buffer in
                try share.add(buffer.readableBytes)
                return buffer
            })
        let response = try await next(request, context)
        return withExtendedLifetime(share) { response }
    }
}

extension Request {
    fileprivate var mayHaveLargeBody: Bool {
        guard let length = headers[.contentLength] else { return headers.contains(.transferEncoding) }
        return Int(length).map { $0 > BodyBudgetMiddleware.freeBytes } ?? true
    }
}
