import Connections
import Hummingbird
import LindenKernel
import NIOCore
import Synchronization

/// Middleware that limits the total memory of request bodies, see ``RequestBudget``.
///
/// While a body arrives, it holds the memory of its bytes. Once it is complete, and has its turn if it takes one, it also holds the memory
/// that parsing takes, see ``cost(ofBytes:values:)``: a client that stops in the middle holds no more than it has sent. As much as
/// ``freeBytes`` of text cost is not counted. SDKs send less, so large bodies cannot block apps.
struct BodyBudgetMiddleware: RouterMiddleware {
    /// Bytes of each body that are not counted.
    static let freeBytes = ConnectionLimits.uncountedBodyBytes

    private static let freeCost = freeBytes * costPerByte

    /// Memory per byte of text: as received, in one piece, and parsed as a string.
    private static let costPerByte = 4

    /// The most memory that a parsed value takes beside its text: that of an object of one member, and of what is made of it, such as the
    /// description of a piece of content.
    private static let costPerValue = 256

    private let budget: RequestBudget

    init(options: ServerOptions) {
        budget = RequestBudget(Self.costPerByte * max(32 << 20, 8 * max(options.maximumBodyBytes, options.maximumBulkBytes)))
    }

    /// Returns the memory in bytes that the text of a body takes.
    static func cost(ofBytes count: Int) -> Int { max(0, costPerByte * count - freeCost) }

    /// Returns the memory in bytes that a body takes at most while it is parsed.
    ///
    /// - Parameter values: the most values that it has, see ``values(in:)``.
    static func cost(ofBytes count: Int, values: Int) -> Int { max(0, costPerByte * count + costPerValue * values - freeCost) }

    /// Returns the most values that a part of a body has. Each value of JSON begins at or behind a comma or an opening bracket. Forms may
    /// encode these with a percent sign, and texts of JSON within JSON as `\u00` with two further digits.
    static func values(in buffer: ByteBuffer) -> Int {
        buffer.withUnsafeReadableBytes { bytes in
            var values = 0
            for (position, byte) in bytes.enumerated() {
                switch byte {
                case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "%"): values += 1
                // The end of the part may be within an escape.
                case UInt8(ascii: "u") where bytes[(position + 1)...].prefix(2).allSatisfy({ $0 == UInt8(ascii: "0") }): values += 1
                default: break
                }
            }
            return values
        }
    }

    func handle(
        _ request: Request, context: LindenContext, next: (Request, LindenContext) async throws -> Response
    ) async throws -> Response {
        guard request.mayHaveBody(above: Self.freeBytes) else { return try await next(request, context) }
        let client = ClientNetwork(context.client)
        let share = BodyShare(budget, of: client) { [channel = context.channel] in channel.close(promise: nil) }
        var request = request
        request.body = RequestBody(asyncSequence: CountedBody(base: request.body, share: share))
        let response = try await next(request, context)
        return withExtendedLifetime(share) { response }
    }
}

/// The share of a budget that one body holds until its request is answered.
private final class BodyShare: Sendable {
    private let budget: RequestBudget
    private let counts = Mutex((bytes: 0, values: 0))

    /// - Parameter giveUp: called if the body is given up for others.
    init(_ budget: RequestBudget, of client: ClientNetwork, giveUp: @escaping @Sendable () -> Void) {
        self.budget = budget
        budget.enter(ObjectIdentifier(self), of: client, at: .now(), giveUp: giveUp)
    }

    /// Adds received bytes. Fails with `unavailable` if the budget has no room, and with `tooLarge` for a body that never fits.
    func add(_ part: ByteBuffer) throws(Failure) {
        let values = BodyBudgetMiddleware.values(in: part)
        let total = counts.withLock { counts in
            counts.bytes += part.readableBytes
            counts.values += values
            return counts
        }
        guard BodyBudgetMiddleware.cost(ofBytes: total.bytes, values: total.values) <= budget.largestShare else {
            throw Failure(.tooLarge, "The body takes too much memory to read: it has too many values, commas or percent signs.")
        }
        try hold(BodyBudgetMiddleware.cost(ofBytes: total.bytes), isComplete: false)
    }

    /// Adds the memory that parsing takes. Fails with `unavailable` if the budget has no room.
    func complete() throws(Failure) {
        let total = counts.withLock { $0 }
        try hold(BodyBudgetMiddleware.cost(ofBytes: total.bytes, values: total.values), isComplete: true)
    }

    private func hold(_ total: Int, isComplete: Bool) throws(Failure) {
        guard budget.hold(total, by: ObjectIdentifier(self), isComplete: isComplete, at: .now()) else {
            throw .unavailable("Too many large requests are being read just now; please try again.")
        }
    }

    deinit {
        budget.leave(ObjectIdentifier(self))
    }
}

/// A body that is counted in a budget.
private struct CountedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let base: RequestBody
    let share: BodyShare

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: RequestBody.AsyncIterator
        fileprivate let share: BodyShare

        mutating func next() async throws -> ByteBuffer? {
            guard let part = try await base.next() else {
                try share.complete()
                return nil
            }
            try share.add(part)
            return part
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base.makeAsyncIterator(), share: share) }
}

extension Request {
    /// Whether the body may have more than a number of bytes, by its declared length. A body in chunks declares none.
    func mayHaveBody(above bytes: Int) -> Bool {
        guard let length = headers.value(of: .contentLength) else { return headers.contains(.transferEncoding) }
        return Int(length).map { $0 > bytes } ?? true
    }
}
