import HTTPTypes
import LindenKernel
import Testing

@testable import Connections
@testable import Server

/// Requests for another protocol than HTTP/1, behind the real parser, which reads nothing after them.
@Suite struct UpgradeTests {
    private static let next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test(arguments: [
        "GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        "GET /x HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, UPGRADE\r\nUpgrade: foo\r\n\r\n",
        "GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\n{}",
        "GET /x HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n",
        "GET /x HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\n\r\n",
        "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n",
    ])
    func aRequestForAnotherProtocolIsTheLastOfItsConnection(request: String) throws {
        let connection = try ParsedConnection()
        connection.send(request + Self.next)
        connection.send(Self.next)
        let heads = try connection.heads()
        #expect(heads.count == 1)
        #expect(heads.first?.headerFields[.connection] == "close")
    }

    @Test func whatFollowsARequestForAnotherProtocolTakesNoMemory() throws {
        let budget = RequestBudget(80_000)
        let connection = try ParsedConnection(unfinished: budget)
        connection.send("GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
        for _ in 0..<10 { connection.send(String(repeating: "a", count: 8_000)) }
        #expect(budget.hasRoom(for: 20_000, of: ClientNetwork(.unknown)))
        #expect(!connection.hasFailed)
    }

    @Test func otherRequestsKeepTheirConnection() throws {
        let connection = try ParsedConnection()
        connection.send("GET /x HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\nUpgrade-Insecure-Requests: 1\r\n\r\n" + Self.next)
        let heads = try connection.heads()
        #expect(heads.count == 2)
        #expect(heads.allSatisfy { $0.headerFields[.connection] != "close" })
    }
}
