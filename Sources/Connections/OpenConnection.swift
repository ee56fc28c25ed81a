import LindenKernel
import NIOCore
import Synchronization

/// An open connection as ``ConnectionTable`` knows it: whose it is, for how long it has been unused, and how to close it.
final class OpenConnection: Sendable {
    let address: ClientAddress
    let close: @Sendable () -> Void
    /// In nanoseconds; ``inUse`` while a request is being answered.
    private let uptime: Atomic<UInt64>

    private static let inUse = UInt64.max

    init(address: ClientAddress, at now: NIODeadline, close: @escaping @Sendable () -> Void) {
        self.address = address
        self.close = close
        uptime = Atomic(now.uptimeNanoseconds)
    }

    convenience init(_ channel: any Channel) {
        let address = channel.remoteAddress?.ipAddress.flatMap { ClientAddress($0) } ?? .unknown
        self.init(address: address, at: channel.eventLoop.now) { channel.close(promise: nil) }
    }

    /// The time at which the connection opened, its last answer was complete, or a part of its next request arrived; nil while a request
    /// is being answered.
    var unusedSince: NIODeadline? {
        let uptime = uptime.load(ordering: .relaxed)
        return uptime == Self.inUse ? nil : .uptimeNanoseconds(uptime)
    }

    /// A request is complete.
    func use() {
        uptime.store(Self.inUse, ordering: .relaxed)
    }

    /// All complete requests are answered, or the first part of a request has arrived.
    func wait(since now: NIODeadline) {
        uptime.store(now.uptimeNanoseconds, ordering: .relaxed)
    }
}
