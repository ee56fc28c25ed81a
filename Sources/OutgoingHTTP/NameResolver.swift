import Foundation
import LindenKernel
import NIOConcurrencyHelpers
import NIOPosix

/// A function that returns all addresses of a host name, on behalf of some parties.
package typealias NameResolver = @Sendable (_ name: String, _ parties: [LookupParty]) async throws -> [IPAddress]

/// A party on whose behalf names are looked up, such as an app, with the maximum number of its look-ups in progress.
package struct LookupParty: Sendable, Hashable {
    /// The kind of party and its id.
    package let name: String
    package let limit: Int

    package init(_ name: String, limit: Int) {
        self.name = name
        self.limit = limit
    }
}

/// The operating system's name resolution (`getaddrinfo`).
package enum SystemNameResolver {
    /// A thread pool for lookups, separate so that a slow name server delays no other work. Lives as long as the process. An abandoned
    /// look-up keeps its thread until the system gives up, so there are more threads than callers.
    private static let threads: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 64)
        pool.start()
        return pool
    }()

    package static func addresses(of name: String, for parties: [LookupParty] = []) async throws -> [IPAddress] {
        try await abandonable(on: threads) { try limited(for: parties) { try lookUp(name) } }
    }

    /// The number of look-ups in progress by party, including abandoned ones.
    private static let running = NIOLockedValueBox<[LookupParty: Int]>([:])

    /// Runs a look-up, so that slow names that one party chose do not hold all threads. Throws ``FetchError/timedOut`` if one of the
    /// parties has as many in progress as it may.
    package static func limited<Value>(for parties: [LookupParty], _ work: () throws -> Value) throws -> Value {
        let isAdmitted = running.withLockedValue { running -> Bool in
            for party in parties where running[party, default: 0] >= party.limit { return false }
            for party in parties { running[party, default: 0] += 1 }
            return true
        }
        guard isAdmitted else { throw FetchError.timedOut }
        defer {
            running.withLockedValue { running in
                for party in parties {
                    let left = running[party, default: 1] - 1
                    running[party] = left > 0 ? left : nil
                }
            }
        }
        return try work()
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
