import LindenKernel
import LindenServices
import LindenTesting
import Logging
import SQLiteStorage
import Synchronization
import Testing

@Suite struct ProxyFaultTests {
    @Test func whatIsCountedIsLoggedAndStoredAtMostOnceAMinute() async throws {
        try await Installation.run { installation in
            let log = MessageLog()
            let monitor = ProxyFaultMonitor(
                storage: installation.storage, clock: installation.clock.clock, logger: Logger(label: "test") { _ in log })
            func stored() async throws -> [Int64] {
                try await installation.storage.read { try $0.proxyFaults().map(\.requests) }
            }
            try await monitor.report()
            #expect(log.messages.isEmpty)

            for _ in 1...3 { monitor.record(.untrusted, of: ClientAddress("10.0.0.5")!) }
            try await monitor.report()
            #expect(log.messages.count == 1)
            #expect(log.messages.first?.contains("10.0.0.5") == true)
            #expect(log.messages.first?.contains("add=\"10.0.0.5\"") == true)
            #expect(try await stored() == [3])

            monitor.record(.untrusted, of: ClientAddress("10.0.0.5")!)
            installation.clock.advance(by: .seconds(59))
            try await monitor.report()
            #expect(log.messages.count == 1)
            installation.clock.advance(by: .seconds(1))
            try await monitor.report()
            #expect(log.messages.count == 2)
            #expect(try await stored() == [4])
        }
    }

    @Test func aProxyMayHaveBothFaultsAndEachIsLogged() async throws {
        try await Installation.run { installation in
            let log = MessageLog()
            let monitor = ProxyFaultMonitor(
                storage: installation.storage, clock: installation.clock.clock, logger: Logger(label: "test") { _ in log })
            let proxy = try #require(ClientAddress("10.0.0.5"))
            monitor.record(.untrusted, of: proxy)
            for _ in 1...2 { monitor.record(.malformed, of: proxy) }
            try await monitor.report()
            #expect(log.messages.count == 2)
            #expect(log.messages.contains { $0.contains("without the IP address of their client") && $0.contains("from=10.0.0.5") })
            let faults = try await installation.storage.read { try $0.proxyFaults() }
            #expect(faults.map(\.kind) == [.malformed, .untrusted] && faults.map(\.requests) == [2, 1])
        }
    }

    /// A public peer that sends the header may be a visitor, so only its network is logged.
    @Test(arguments: [
        ("10.0.0.5", "10.0.0.5"), ("127.0.0.1", "127.0.0.1"), ("fd00::5", "fd00::5"), ("::1", "::1"),
        ("203.0.113.7", "203.0.113.0/24"), ("2001:db8:1:2::9", "2001:db8:1::/48"),
    ])
    func ofAPublicAddressTheNetworkAloneIsNamed(peer: String, network: String) async throws {
        try await Installation.run { installation in
            let monitor = installation.services.proxyFaults
            monitor.record(.untrusted, of: ClientAddress(peer)!)
            try await monitor.report()
            #expect(try await installation.storage.read { try $0.proxyFaults().map(\.network) } == [network])
        }
    }

    @Test func clientsThatMakeAddressesUpFillNoTable() async throws {
        try await Installation.run { installation in
            let monitor = installation.services.proxyFaults
            for number in 0..<3000 { monitor.record(.untrusted, of: ClientAddress("10.9.\(number / 250).\(number % 250)")!) }
            for _ in 1...5 { monitor.record(.untrusted, of: ClientAddress("10.9.0.0")!) }
            try await monitor.report()
            let stored = try await installation.storage.read { try $0.proxyFaults() }
            #expect(stored.count == ProxyFault.capacity)
            #expect(
                stored.first
                    == ProxyFault(kind: .untrusted, network: "10.9.0.0", requests: 6, firstAt: installation.clock.clock.now()))
        }
    }
}

/// Records log messages with their metadata.
private final class MessageLog: LogHandler {
    private let kept = Mutex<[String]>([])
    var messages: [String] { kept.withLock { $0 } }

    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        let details = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        kept.withLock { $0.append("\(event.message) \(details)") }
    }
}
