import LindenKernel
import Logging
import NIOCore
import PrometheusMetrics
import Synchronization
import Testing

@testable import Connections
@testable import Server

@Suite struct ConnectionTableTests {
    private let visitor = "203.0.113.7"
    private let closed = Closed()

    /// The addresses whose connections were closed for others.
    private final class Closed: Sendable {
        private let list = Mutex<[String]>([])

        var addresses: [String] { list.withLock { $0 } }

        func add(_ address: String) { list.withLock { $0.append(address) } }
    }

    @Test func anAddressMayHoldOnlySoManyConnections() {
        let table = table(all: 100, perAddress: 2)
        let first = connection(visitor)
        #expect(enter(table, first) == .admitted)
        #expect((0..<2).map { _ in enter(table, visitor) } == [.admitted, .refused])
        #expect(enter(table, "203.0.113.8") == .admitted)
        table.leave(first, .admitted)
        #expect(enter(table, visitor) == .admitted)
    }

    @Test func openAndRefusedConnectionsAreMeasured() async {
        let registry = PrometheusRegistry(.all)
        let table = table(all: 100, perAddress: 2, metrics: ConnectionMetrics(factory: registry))
        let first = connection(visitor)
        _ = [enter(table, first), enter(table, visitor), enter(table, visitor)]
        table.leave(first, .admitted)

        let text = MetricsText(await registry.text())
        #expect(text.value("linden_connections_open") == 1 && text.value("linden_connections_refused_total") == 1)
    }

    @Test func theAddressesOfOneIPv6NetworkCountAsOne() {
        let table = table(all: 100, perAddress: 1)
        #expect(enter(table, "2001:db8:1:2::a") == .admitted)
        #expect(enter(table, "2001:db8:1:2:ffff::b") == .refused)
        #expect(enter(table, "2001:db8:1:3::a") == .admitted)
    }

    @Test(arguments: ["127.0.0.1", "::1", "10.1.2.3"])
    func loopbackAndTrustedProxiesStandForManyVisitors(address: String) {
        let table = table(all: 100, perAddress: 1)
        #expect((0..<3).map { _ in enter(table, address) } == [.admitted, .admitted, .admitted])
    }

    @Test func beyondTheLimitThereIsAReserveAndThenNothing() {
        let table = table(all: 1, perAddress: 1000)
        let first = connection(visitor)
        #expect(enter(table, first) == .admitted)
        let visitors = (0..<48).map { connection("198.51.\($0).1") }
        #expect(visitors.allSatisfy { enter(table, $0) == .reserve })
        #expect(enter(table, "198.51.99.1") == .refused)
        let checks = (0..<16).map { _ in connection("127.0.0.1") }
        #expect(checks.allSatisfy { enter(table, $0) == .reserve }, "the rest is for health checks")
        #expect(enter(table, "127.0.0.1") == .refused)
        for connection in visitors + checks { table.leave(connection, .reserve) }
        table.leave(first, .admitted)
        #expect(enter(table, visitor) == .admitted)
    }

    @Test func oneAddressHoldsAtMostAQuarterOfTheReserve() {
        let table = table(all: 0, perAddress: 1000)
        let connections = (0..<ConnectionLimits.reserve / 4).map { _ in connection(visitor) }
        #expect(connections.allSatisfy { enter(table, $0) == .reserve })
        #expect(enter(table, visitor) == .refused)
        #expect(enter(table, "198.51.100.1") == .reserve)
        table.leave(connections[0], .reserve)
        #expect(enter(table, visitor) == .reserve)
    }

    @Test(arguments: ["2001:db8:1:%::7", "203.0.113.%"])
    func oneSiteHoldsAtMostHalfOfTheReserve(pattern: String) {
        let table = table(all: 0, perAddress: 1000)
        let visitors = (0..<ConnectionLimits.reserve).map { connection(pattern.replacing("%", with: String($0))) }
        #expect(visitors.count { enter(table, $0) == .reserve } == ConnectionLimits.reserve / 2)
        #expect(enter(table, "198.51.100.1") == .reserve)
        table.leave(visitors[0], .reserve)
        #expect(enter(table, visitors[0]) == .reserve)
    }

    @Test func aTrustedProxyMayHoldTheWholeReserve() {
        let table = table(all: 0, perAddress: 1)
        #expect((0..<ConnectionLimits.reserve).allSatisfy { _ in enter(table, "10.1.2.3") == .reserve })
    }

    @Test func theLongestUnusedConnectionOfTheNetworkWithMostMakesRoom() {
        let table = table(all: 6, perAddress: 100)
        let single = connection(visitor)
        let many = (0..<5).map { connection("198.51.100.\($0)") }
        #expect(enter(table, single) == .admitted)
        for (second, other) in many.enumerated() { #expect(enter(table, other, at: Int64(second)) == .admitted) }
        many[0].use()
        #expect(enter(table, "192.0.2.1", at: 4) == .admitted)
        #expect(closed.addresses == ["198.51.100.1"])
        table.leave(many[1], .admitted)

        many[0].wait(since: .uptimeNanoseconds(0))
        #expect(enter(table, "192.0.2.2", at: 4) == .admitted, "the first is unused again")
        #expect(closed.addresses == ["198.51.100.1", "198.51.100.0"])
    }

    @Test func connectionsThatAreUsedOrNewAreNotClosedForOthers() {
        let table = table(all: 2, perAddress: 100)
        let used = connection(visitor)
        #expect(enter(table, used) == .admitted)
        used.use()
        #expect(enter(table, visitor, at: 9) == .admitted)
        #expect(enter(table, "198.51.100.1", at: 10) == .reserve)
        #expect(closed.addresses.isEmpty)
    }

    @Test func aSiteThatHasManyMoreGivesUpUsedConnectionsToo() {
        let table = table(all: 20, perAddress: 100)
        let many = (0..<18).map { connection("198.51.100.\($0)") }
        let some = (0..<2).map { _ in connection(visitor) }
        for connection in many + some {
            #expect(enter(table, connection, at: 9) == .admitted)
            connection.use()
        }
        many[7].wait(since: .uptimeNanoseconds(0) + .seconds(9))
        #expect(enter(table, "192.0.2.1", at: 10) == .admitted)
        #expect(closed.addresses == ["198.51.100.7"], "it is between two requests")
        table.leave(many[7], .admitted)
        #expect(enter(table, "192.0.3.1", at: 10) == .admitted)
        #expect(closed.addresses.count == 2 && closed.addresses.last?.hasPrefix("198.51.100.") == true)
        #expect(enter(table, visitor, at: 10) == .reserve, "16 are not eight times as many as three")
    }

    @Test func theAttemptsOfASiteWithManyDoNotKeepOthersOut() {
        let table = table(all: 20, perAddress: 100)
        let many = (0..<80).map { connection("198.51.\(100 + $0 % 2).\($0)") }
        for connection in many {
            _ = enter(table, connection)
            connection.use()
        }
        // They have all places that a visitor's connection gets, and go on trying.
        for second in 1...3 as ClosedRange<Int64> {
            #expect(enter(table, "198.51.100.200", at: second) == .refused)
            #expect(enter(table, "192.0.\(second).1", at: second) == .admitted)
        }
        #expect(closed.addresses.count == 3)
    }

    /// What a flood has no use for is not what others wait with for their next request.
    @Test func aSiteWithManyConnectionsTakesNoUnusedOnesOfSitesWithFew() {
        let table = table(all: 20, perAddress: 100)
        let many = (0..<17).map { connection("198.51.100.\($0)") }
        for connection in many {
            #expect(enter(table, connection) == .admitted)
            connection.use()
        }
        for _ in 0..<3 { #expect(enter(table, visitor) == .admitted) }
        let further = connection("198.51.100.200")
        #expect(enter(table, further, at: 60) == .reserve)
        table.leave(further, .reserve)
        #expect(closed.addresses.isEmpty)
        #expect(enter(table, "192.0.2.1", at: 61) == .admitted)
    }

    @Test func aSiteHasAtMostHalfOfAllConnections() {
        let table = table(all: 20, perAddress: 8)
        let admissions = (0..<12).map { enter(table, "198.51.100.\($0)") }
        #expect(admissions.count { $0 == .admitted } == 10)
    }

    @Test func aConnectionThatIsBeingClosedMakesRoomOnlyOnce() {
        let table = table(all: 2, perAddress: 100)
        let (first, second) = (connection(visitor), connection(visitor))
        #expect(enter(table, first) == .admitted)
        #expect(enter(table, second) == .admitted)
        second.use()
        #expect(enter(table, "198.51.100.1", at: 5) == .admitted)
        #expect(enter(table, "198.51.101.1", at: 5) == .reserve)
        table.leave(first, .admitted)
        #expect(enter(table, "198.51.102.1", at: 6) == .reserve)
    }

    @Test func connectionsOfTrustedProxiesAreNotClosedForOthers() {
        let table = table(all: 1, perAddress: 100)
        #expect(enter(table, "10.1.2.3") == .admitted)
        #expect(enter(table, visitor, at: 60) == .reserve)
    }

    private func connection(_ address: String) -> OpenConnection {
        OpenConnection(address: ClientAddress(address)!, at: .uptimeNanoseconds(0)) { [closed] in closed.add(address) }
    }

    private func enter(_ table: ConnectionTable, _ connection: OpenConnection, at second: Int64 = 0) -> ConnectionTable.Admission {
        let now = NIODeadline.uptimeNanoseconds(0) + .seconds(second)
        connection.wait(since: now)
        return table.enter(connection, at: now)
    }

    private func enter(_ table: ConnectionTable, _ address: String, at second: Int64 = 0) -> ConnectionTable.Admission {
        enter(table, connection(address), at: second)
    }

    private func table(all: Int, perAddress: Int, metrics: ConnectionMetrics = ConnectionMetrics()) -> ConnectionTable {
        ConnectionTable(
            limits: ConnectionLimits(connections: all, connectionsPerAddress: perAddress),
            exempt: [Network("10.0.0.0/8")!], logger: Logger(label: "test"), metrics: metrics)
    }
}
