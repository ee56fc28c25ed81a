import Connections
import Hummingbird
import LindenServices
import NIOCore

/// Middleware that lets the requests of a site take turns, see ``ClientTurns``.
///
/// A turn begins when the whole body has arrived, before it is parsed, so that a slow client keeps no other waiting; without a body, at once
/// for a call with an access token, and for others once the app is known. That of a large body ends once the body is parsed; the call goes on in the turn of other calls, which ends with the
/// response, or once a secret is verified: an app's own server waits for the parsing of other bodies, and stores as many at a time as it sends.
/// Networks of `limits.exempt_networks` take no turns.
struct ClientTurnsMiddleware: RouterMiddleware {
    /// The turn of a request whose body may be large; nil for all others.
    @TaskLocal static var turnOfLargeBody: ClientTurn?

    private let limiter: RateLimiter
    private let bodies = ClientTurns.ofLargeBodies()
    private let calls = ClientTurns.ofCalls()

    init(limiter: RateLimiter) {
        self.limiter = limiter
    }

    func handle(
        _ request: Request, context: LindenContext, next: (Request, LindenContext) async throws -> Response
    ) async throws -> Response {
        guard let client = limiter.network(of: context.client) else {
            return try await next(request, context)
        }
        let call = ClientTurn(calls, of: client)
        defer { call.end() }
        var context = context
        context.callTurn = call
        guard request.mayHaveBody(above: 0) else {
            if request.accessToken != nil { try await call.begin() }
            return try await next(request, context)
        }
        let large = request.mayHaveBody(above: ClientTurns.largeBytes) ? ClientTurn(bodies, of: client) : nil
        var request = request
        request.body = RequestBody(asyncSequence: BodyInTurn(base: request.body, large: large ?? call, small: call))
        guard let large else { return try await next(request, context) }
        defer { large.end() }
        return try await Self.$turnOfLargeBody.withValue(large) { [context, request] in try await next(request, context) }
    }
}

/// A body whose end is delivered in the request's turn.
private struct BodyInTurn: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let base: RequestBody
    /// The turns of a large and of any other body, of which one begins.
    let large: ClientTurn
    let small: ClientTurn

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: RequestBody.AsyncIterator
        fileprivate let large: ClientTurn
        fileprivate let small: ClientTurn
        /// The bytes received so far; nil after the end.
        fileprivate var count: Int? = 0

        mutating func next() async throws -> ByteBuffer? {
            if let part = try await base.next() {
                count? += part.readableBytes
                return part
            }
            guard let count else { return nil }
            self.count = nil
            try await (count > ClientTurns.largeBytes ? large : small).begin()
            return nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator(), large: large, small: small)
    }
}
