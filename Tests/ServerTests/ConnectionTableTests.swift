import LindenKernel
import Logging
import Testing

@testable import Server

@Suite struct ConnectionTableTests {
    private let visitor = ClientAddress("203.0.113.7")!

    @Test func anAddressMayHoldOnlySoManyConnections() {
        let table = table(all: 100, perAddress: 2)
        #expect((0..<3).map { _ in table.enter(visitor) } == [.admitted, .admitted, .refused])
        #expect(table.enter(ClientAddress("203.0.113.8")!) == .admitted)
        table.leave(visitor, .admitted)
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
        let visitors = (0..<ConnectionLimits.reserve).map { ClientAddress("198.51.\($0).1")! }
        #expect(visitors.allSatisfy { table.enter($0) == .reserve })
        #expect(table.enter(ClientAddress("198.51.99.1")!) == .refused)
        for visitor in visitors { table.leave(visitor, .reserve) }
        table.leave(visitor, .admitted)
        #expect(table.enter(visitor) == .admitted)
    }

    @Test func oneAddressHoldsAtMostAQuarterOfTheReserve() {
        let table = table(all: 0, perAddress: 1000)
        let share = ConnectionLimits.reserve / 4
        #expect((0..<share).allSatisfy { _ in table.enter(visitor) == .reserve })
        #expect(table.enter(visitor) == .refused)
        #expect(table.enter(ClientAddress("198.51.100.1")!) == .reserve)
        table.leave(visitor, .reserve)
        #expect(table.enter(visitor) == .reserve)
    }

    @Test(arguments: ["2001:db8:1:%::7", "203.0.113.%"])
    func oneSiteHoldsAtMostHalfOfTheReserve(pattern: String) {
        let table = table(all: 0, perAddress: 1000)
        let visitors = (0..<ConnectionLimits.reserve).map { ClientAddress(pattern.replacing("%", with: String($0)))! }
        #expect(visitors.count { table.enter($0) == .reserve } == ConnectionLimits.reserve / 2)
        #expect(table.enter(ClientAddress("198.51.100.1")!) == .reserve)
        table.leave(visitors[0], .reserve)
        #expect(table.enter(visitors[0]) == .reserve)
    }

    @Test func aTrustedProxyMayHoldTheWholeReserve() {
        let table = table(all: 0, perAddress: 1)
        #expect((0..<ConnectionLimits.reserve).allSatisfy { _ in table.enter(ClientAddress("10.1.2.3")!) == .reserve })
    }

    private func table(all: Int, perAddress: Int) -> ConnectionTable {
        ConnectionTable(
            limits: ConnectionLimits(connections: all, connectionsPerAddress: perAddress),
            exempt: [Network("10.0.0.0/8")!], logger: Logger(label: "test"))
    }
}
