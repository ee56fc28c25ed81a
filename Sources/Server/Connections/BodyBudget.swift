import Hummingbird
import Linden
import NIOCore
import Synchronization

/// The memory that request bodies may hold together, from their arrival to the end of the answer.
///
/// Bodies up to ``freeBytes``, which is more than SDKs send, take nothing of it: many large bodies keep no app out. What is parsed of a
/// body may take twenty times its bytes.
final class BodyBudget: Sendable {
    /// Bytes that a body may have without being counted.
    static let freeBytes = 16 << 10
    /// Bytes of all bodies that are counted.
    private let bytes: Int
    /// Bytes of those from one address, or one /64 of IPv6.
    private var bytesPerAddress: Int { bytes / 4 }

    private struct Held {
        var all = 0
        var byNetwork: [UInt64: Int] = [:]
    }

    private let held = Mutex(Held())

    /// - Parameter largest: bytes that one body may have.
    init(largest: Int) {
        bytes = max(32 << 20, 8 * largest)
    }

    /// Counts bytes that arrived. Fails with `unavailable` where there is no room for them.
    fileprivate func take(_ count: Int, of network: UInt64) throws(Failure) {
        let hasRoom = held.withLock { held in
            let ofNetwork = held.byNetwork[network, default: 0]
            guard held.all + count <= bytes, ofNetwork + count <= bytesPerAddress else { return false }
            held.all += count
            held.byNetwork[network] = ofNetwork + count
            return true
        }
        guard hasRoom else { throw .unavailable("Too many large requests are being read just now; please try again.") }
    }

    fileprivate func giveBack(_ count: Int, of network: UInt64) {
        held.withLock { held in
            held.all -= count
            held.byNetwork[network] = held.byNetwork[network].flatMap { $0 > count ? $0 - count : nil }
        }
    }
}

/// What one body holds of a budget, until the request is answered.
private final class BodyShare: Sendable {
    private let budget: BodyBudget
    private let network: UInt64
    private let counts = Mutex((arrived: 0, taken: 0))

    init(_ budget: BodyBudget, of address: ClientAddress) {
        self.budget = budget
        network = address.networkNumber
    }

    /// Fails with `unavailable` where the budget has no room.
    func add(_ count: Int) throws(Failure) {
        let new = counts.withLock { counts in
            counts.arrived += count
            return max(0, counts.arrived - BodyBudget.freeBytes) - counts.taken
        }
        guard new > 0 else { return }
        try budget.take(new, of: network)
        counts.withLock { $0.taken += new }
    }

    deinit {
        let taken = counts.withLock { $0.taken }
        if taken > 0 { budget.giveBack(taken, of: network) }
    }
}

/// Counts the bodies of requests against the budget while they arrive.
struct BodyBudgetMiddleware: RouterMiddleware {
    private let options: ServerOptions
    private let budget: BodyBudget

    init(options: ServerOptions) {
        self.options = options
        budget = BodyBudget(largest: max(options.maximumBodyBytes, options.maximumBulkBytes))
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
        return Int(length).map { $0 > BodyBudget.freeBytes } ?? true
    }
}
