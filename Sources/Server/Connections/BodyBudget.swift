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

    /// Adds received bytes to the share. Fails with `unavailable` if the budget has no room, and with `tooLarge` for a body that never fits.
    func add(_ bytes: ByteBuffer) throws(Failure) {
        let cost = BodyBudgetMiddleware.cost(of: bytes)
        let (new, total) = counts.withLock { counts in
            counts.arrived += cost
            let total = max(0, counts.arrived - BodyBudgetMiddleware.freeCost)
            return (total - counts.taken, total)
        }
        guard new > 0 else { return }
        guard total <= budget.largestShare else {
            throw Failure(.tooLarge, "The body takes too much memory to read: it has too many values, commas or percent signs.")
        }
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
/// The budget is the memory that bodies take while they are read and parsed, see ``cost(of:)``. As much as ``freeBytes`` of text cost is not
/// counted. SDKs send less, so large bodies cannot block apps.
struct BodyBudgetMiddleware: RouterMiddleware {
    /// Bytes of each body that are not counted.
    static let freeBytes = 16 << 10

    static let freeCost = freeBytes * costPerByte

    /// Memory per byte of text: as received, in one piece, and parsed as a string.
    private static let costPerByte = 4

    /// The most memory that a parsed value takes beside its text: an object of one member.
    private static let costPerValue = 128

    private let options: ServerOptions
    private let budget: SharedBudget

    init(options: ServerOptions) {
        self.options = options
        budget = SharedBudget(Self.costPerByte * max(32 << 20, 8 * max(options.maximumBodyBytes, options.maximumBulkBytes)))
    }

    /// Returns the memory in bytes that a part of a body takes at most while it is read and parsed. Each value of JSON begins at or behind a
    /// comma or an opening bracket, which forms may encode with a percent sign.
    static func cost(of buffer: ByteBuffer) -> Int {
        buffer.withUnsafeReadableBytes { bytes in
            var values = 0
            for byte in bytes {
                switch byte {
                case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "%"): values += 1
                default: break
                }
            }
            return costPerByte * bytes.count + costPerValue * values
        }
    }

    func handle(
        _ request: Request, context: LindenContext, next: (Request, LindenContext) async throws -> Response
    ) async throws -> Response {
        guard request.mayHaveLargeBody else { return try await next(request, context) }
        let share = BodyShare(budget, of: options.clientAddress(of: request, context))
        var request = request
        request.body = RequestBody(
            asyncSequence: request.body.map { buffer in
                try share.add(buffer)
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
