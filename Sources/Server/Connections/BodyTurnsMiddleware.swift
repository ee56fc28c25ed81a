import Hummingbird
import LindenServices
import NIOCore

/// Middleware that lets requests with large bodies take turns, see ``BodyTurns``.
///
/// A turn begins when the whole body has arrived, so that a slow client keeps no other waiting, and ends with the response. That of a call
/// with a valid secret ends once the secret is verified: an app's own server waits for the parsing of other bodies of its site, and
/// stores as many at a time as it sends. Networks of `limits.exempt_networks` take no turns.
struct BodyTurnsMiddleware: RouterMiddleware {
    private let limiter: RateLimiter
    private let options: ServerOptions
    private let turns = BodyTurns()

    init(limiter: RateLimiter, options: ServerOptions) {
        self.limiter = limiter
        self.options = options
    }

    func handle(
        _ request: Request, context: LindenContext, next: (Request, LindenContext) async throws -> Response
    ) async throws -> Response {
        guard request.mayHaveBody(above: BodyTurns.largeBytes),
            let client = limiter.network(of: options.clientAddress(of: request, context))
        else { return try await next(request, context) }
        let turn = BodyTurn(turns, of: client)
        defer { turn.end() }
        var request = request
        request.body = RequestBody(asyncSequence: BodyInTurn(base: request.body, turn: turn))
        var context = context
        context.bodyTurn = turn
        return try await next(request, context)
    }
}

/// A body whose end is delivered in the request's turn if it is large.
private struct BodyInTurn: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let base: RequestBody
    let turn: BodyTurn

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: RequestBody.AsyncIterator
        fileprivate let turn: BodyTurn
        /// The bytes received so far; 0 after the end.
        fileprivate var count = 0

        mutating func next() async throws -> ByteBuffer? {
            if let part = try await base.next() {
                count += part.readableBytes
                return part
            }
            let isLarge = count > BodyTurns.largeBytes
            count = 0
            if isLarge { try await turn.begin() }
            return nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base.makeAsyncIterator(), turn: turn) }
}
