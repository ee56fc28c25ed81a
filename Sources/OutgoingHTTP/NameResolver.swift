import Foundation
import NIOConcurrencyHelpers
import NIOPosix

/// A function that returns all addresses of a host name.
package typealias NameResolver = @Sendable (_ name: String) async throws -> [IPAddress]

/// The operating system's name resolution (`getaddrinfo`).
package enum SystemNameResolver {
    /// A thread pool for lookups, separate so that a slow name server delays no other work. Lives as long as the process.
    private static let threads: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 4)
        pool.start()
        return pool
    }()

    package static func addresses(of name: String) async throws -> [IPAddress] {
        try await abandonable(on: threads) { try lookUp(name) }
    }

    /// Runs blocking work on a thread of the pool. A cancelled caller returns at once; work that has not started by then is skipped.
    package static func abandonable<Value: Sendable>(
        on threads: NIOThreadPool,
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let (values, continuation) = AsyncThrowingStream.makeStream(of: Value.self)
        let isAbandoned = NIOLockedValueBox(false)
        continuation.onTermination = { _ in isAbandoned.withLockedValue { $0 = true } }
        threads.submit { state in
            guard state == .active, !isAbandoned.withLockedValue({ $0 }) else { return continuation.finish() }
            do {
                continuation.yield(try work())
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        for try await value in values { return value }
        throw CancellationError()
    }

    private static func lookUp(_ name: String) throws -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_socktype = streamSocket
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &first) == 0 else { throw FetchError.unreachable }
        defer { freeaddrinfo(first) }
        return try sequence(first: first, next: { $0?.pointee.ai_next }).compactMap { $0?.pointee.ai_addr }.map { address in
            switch Int32(address.pointee.sa_family) {
            case AF_INET: IPAddress(UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_addr)
            case AF_INET6: IPAddress(UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self).sin6_addr)
            default: throw FetchError.unreachable
            }
        }
    }

    #if canImport(Glibc)
        private static let streamSocket = Int32(SOCK_STREAM.rawValue)
    #else
        private static let streamSocket = SOCK_STREAM
    #endif
}
