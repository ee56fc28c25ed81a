import Linden
import Logging
import Testing

@testable import Server

@Suite struct ConnectionTableTests {
    private let visitor = ClientAddress("203.0.113.7")!

    @Test func anAddressMayHoldOnlySoManyConnections() {
        let table = table(all: 100, perAddress: 2)
        #expect((0..<3).map { _ in table.enter(visitor) } == [.admitted, .admitted, .refused])
        #expect(table.enter(ClientAddress("203.0.113.8")!) == .admitted)
        table.leave(visitor)
        #expect(table.enter(visitor) == .admitted)
    }

    @Test func theAddressesOfOneIPv6NetworkCountAsOne() {
        let table = table(all: 100, perAddress: 1)
        #expect(table.enter(ClientAddress("2001:db8:1:2::a")!) == .admitted)
        #expect(table.enter(ClientAddress("2001:db8:1:2:ffff::b")!) == .refused)
        #expect(table.enter(ClientAddress("2001:db8:1:3::a")!) == .admitted)
    }

    @Test(arguments: ["127.0.0.1", "::1", "10.1.2.3"])
    func loopbackAndTrustedProxiesStandForManyVisitors(address: String) {
        let table = table(all: 100, perAddress: 1)
        #expect((0..<3).map { _ in table.enter(ClientAddress(address)!) } == [.admitted, .admitted, .admitted])
    }

    @Test func beyondTheLimitThereIsAReserveAndThenNothing() {
        let table = table(all: 1, perAddress: 1000)
        #expect(table.enter(visitor) == .admitted)
        #expect((0..<ConnectionLimits.reserve).allSatisfy { _ in table.enter(visitor) == .reserve })
        #expect(table.enter(visitor) == .refused)
        for _ in 0..<(ConnectionLimits.reserve + 1) { table.leave(visitor) }
        #expect(table.enter(visitor) == .admitted)
    }

    private func table(all: Int, perAddress: Int) -> ConnectionTable {
        ConnectionTable(
            limits: ConnectionLimits(connections: all, connectionsPerAddress: perAddress),
            exempt: [Network("10.0.0.0/8")!], logger: Logger(label: "test"))
    }
}
