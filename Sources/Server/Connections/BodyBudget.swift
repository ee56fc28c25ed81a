import Hummingbird
import Linden
import Synchronization

/// The memory that request bodies may hold together, from the first byte to the end of the answer.
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

    /// Counts a body as long as `work` runs. Fails with `unavailable` where there is no room for it.
    func hold<Value>(_ bytes: Int, of address: ClientAddress, _ work: () async throws -> Value) async throws -> Value {
        guard bytes > Self.freeBytes else { return try await work() }
        let network = address.networkNumber
        let hasRoom = held.withLock { held in
            let ofNetwork = held.byNetwork[network, default: 0]
            guard held.all + bytes <= self.bytes, ofNetwork + bytes <= bytesPerAddress else { return false }
            held.all += bytes
            held.byNetwork[network] = ofNetwork + bytes
            return true
        }
        guard hasRoom else { throw Failure.unavailable("Too many large requests are being read just now; please try again.") }
        defer {
            held.withLock { held in
                held.all -= bytes
                held.byNetwork[network] = held.byNetwork[network].flatMap { $0 > bytes ? $0 - bytes : nil }
            }
        }
        return try await work()
    }
}

/// Holds back requests whose bodies find no room in memory, before anything of a body is read.
struct BodyBudgetMiddleware: RouterMiddleware {
    private let options: ServerOptions
    private let largest: Int
    private let budget: BodyBudget

    init(options: ServerOptions) {
        self.options = options
        largest = max(options.maximumBodyBytes, options.maximumBulkBytes)
        budget = BodyBudget(largest: largest)
    }

    func handle(
        _ request: Request, context: LindenContext, next: (Request, LindenContext) async throws -> Response
    ) async throws -> Response {
        let bytes = request.declaredBodyBytes.map { min($0, largest) } ?? largest
        guard bytes > BodyBudget.freeBytes else { return try await next(request, context) }
        return try await budget.hold(bytes, of: options.clientAddress(of: request, context)) { try await next(request, context) }
    }
}

extension Request {
    /// Nil where the body's length is not known beforehand.
    fileprivate var declaredBodyBytes: Int? {
        if let length = headers[.contentLength] { return Int(length) }
        return headers.contains(.transferEncoding) ? nil : 0
    }
}
