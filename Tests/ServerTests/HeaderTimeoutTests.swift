import LindenKernel
import Testing

@testable import Connections
@testable import Server

/// Clients that do not finish a request's headers, behind the real parser, on a clock that the tests advance.
@Suite struct HeaderTimeoutTests {
    private let connection: ParsedConnection

    init() throws {
        connection = try ParsedConnection()
    }

    @Test func headersThatDoNotEndAreGivenUpHoweverSlowlyTheyCome() throws {
        connection.send("GET / HTTP/1.1\r\nX-Slow: ")
        for _ in 0..<9 {
            connection.send("a")
            connection.wait(1)
        }
        #expect(connection.isOpen)
        connection.wait(2)
        #expect(!connection.isOpen)
    }

    @Test func headersThatEndInTimeAreNotWaitedForAgain() throws {
        connection.send("GET / HTTP/1.1\r\n")
        connection.wait(9)
        connection.send("Host: a\r\n\r\n")
        try connection.answer()
        connection.wait(50)
        #expect(connection.isOpen)
    }

    @Test func aConnectionOnWhichNothingWasBegunHasItsIdleTime() throws {
        connection.wait(50)
        connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        try connection.answer()
        connection.wait(50)
        #expect(connection.isOpen)
    }

    @Test func unfinishedHeadersHoldNoMoreThanTheirShareOfTheMemory() throws {
        let budget = RequestBudget(80_000)
        let others = try (0..<2).map { _ in try ParsedConnection(unfinished: budget) }
        for other in others { other.send("GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 8_000)) }
        let late = try ParsedConnection(unfinished: budget)

        late.send("GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 8_000))
        late.send(String(repeating: "a", count: 8_000))

        let answer = try late.received()
        #expect(answer.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n") && answer.contains("retry-after: 1"))
        late.wait(3)
        #expect(!late.isOpen)
        #expect(try others[0].received().isEmpty)
    }

    @Test func aSmallBodyThatDoesNotEndHoldsItsShareOfTheMemoryWithItsHeaders() throws {
        let budget = RequestBudget(80_000)
        let head =
            "POST /v1/open HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: 8_000) + "\r\nContent-Length: 9000\r\n\r\n"
        let slow = try (0..<2).map { _ in try ParsedConnection(unfinished: budget) }
        for connection in slow { connection.send(head + "half") }
        let late = try ParsedConnection(unfinished: budget)

        late.send(head + "half")

        #expect(!budget.hasRoom(for: 4_000, of: ClientNetwork(.unknown)))
        #expect(late.hasFailed)
        for connection in slow { connection.close() }
        #expect(budget.hasRoom(for: 16_000, of: ClientNetwork(.unknown)))
    }

    @Test func manySmallHeadersOfAnUnfinishedRequestHoldTheMemoryThatTheyTake() throws {
        let budget = RequestBudget(80_000)
        let head =
            "POST /v1/open HTTP/1.1\r\nHost: a\r\nContent-Length: 90\r\n" + String(repeating: "a: b\r\n", count: 40) + "\r\n"
        let (first, second) = (try ParsedConnection(unfinished: budget), try ParsedConnection(unfinished: budget))
        first.send(head + "half")
        second.send(head + "half")

        #expect(!first.hasFailed)
        #expect(second.hasFailed)
    }

    @Test func requestsThatWaitBehindTheOneThatIsAnsweredHoldTheMemoryThatTheyTake() throws {
        let budget = RequestBudget(4 << 20)
        let connections = try (0..<3).map { _ in try ParsedConnection(unfinished: budget) }
        for connection in connections {
            connection.ask()
            connection.sendUnasked(String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 15_000))
            try connection.answer()
        }

        #expect(try connections.map { try $0.received().contains("503 Service Unavailable") } == [false, false, true])
    }

    @Test func theVisitorsBehindAProxyHaveAShareEach() throws {
        let budget = RequestBudget(80_000)
        func visit(from visitor: String) throws -> ParsedConnection {
            let connection = try ParsedConnection(unfinished: budget, from: "10.0.0.1")
            connection.send("POST /v1/open HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: \(visitor)\r\nContent-Length: 90\r\n")
            connection.send("X: " + String(repeating: "a", count: 8_000) + "\r\n\r\nhalf")
            return connection
        }

        let greedy = try (0..<3).map { _ in try visit(from: "203.0.113.7") }
        let other = try visit(from: "198.51.100.8")

        #expect(greedy.map(\.hasFailed) == [false, false, true])
        #expect(!other.hasFailed)
        for connection in greedy + [other] { connection.close() }
        #expect(budget.hasRoom(for: 60_000, of: nil))
    }

    @Test func aRequestThatIsAnsweredBeforeItsEndHoldsNothingMore() throws {
        let budget = RequestBudget(80_000)
        let refused = try ParsedConnection(unfinished: budget)
        refused.send("POST /v1/open HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n" + String(repeating: "a", count: 8_000))

        try refused.answer()
        refused.send(String(repeating: "a", count: 8_000))

        #expect(budget.hasRoom(for: 20_000, of: ClientNetwork(.unknown)))
    }

    @Test func headersThatComeInOneReadAreServedHoweverLittleMemoryIsLeft() throws {
        let none = try ParsedConnection(unfinished: RequestBudget(0))

        none.ask()
        try none.answer()

        #expect(try none.received().hasPrefix("HTTP/1.1 302"))
    }

    @Test func whatFinishedHeadersHeldIsGivenBack() throws {
        let budget = RequestBudget(40_000)
        for _ in 0..<3 {
            let connection = try ParsedConnection(unfinished: budget)
            connection.send("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: 8_000))
            connection.send("\r\n\r\n")
            try connection.answer()
            #expect(try connection.received().hasPrefix("HTTP/1.1 302"))
        }
        // A closed connection releases its share of the budget, too.
        let left = try ParsedConnection(unfinished: budget)
        left.send("GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 8_000))
        left.close()
        #expect(budget.hasRoom(for: 10_000, of: ClientNetwork(.unknown)))
    }
}
