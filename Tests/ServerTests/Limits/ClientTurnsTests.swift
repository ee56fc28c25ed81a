import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import Connections
@testable import Server

/// Calls of one site, of which a few at a time are handled, and one with a large body.
@Suite struct ClientTurnsTests {
    /// Those of large bodies, but as long as a slow machine needs.
    private let turns = ClientTurns(atOnce: (ofSite: 1, ofAll: 3), shares: NetworkShares(address: 64), waiting: 512)

    @Test func theAddressesOfOneSiteHaveTheirTurnsOneAfterAnother() async throws {
        let running = Count()
        try await withThrowingTaskGroup(of: Void.self) { [turns] group in
            for number in 0..<50 {
                let client = Self.client("203.0.113.\(number % 10)")
                group.addTask {
                    let turn = ClientTurn(turns, of: client)
                    try await turn.begin()
                    #expect(running.add(1) == 1)
                    await Task.yield()
                    #expect(running.add(-1) == 0)
                    turn.end()
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [("203.0.113.7", "203.0.114.7"), ("2001:db8:1:1::7", "2001:db8:2:1::7")])
    func anotherSiteDoesNotWait(address: String, other: String) async throws {
        try await turns.enter(Self.client(address))
        try await turns.enter(Self.client(other))
        turns.leave(Self.client(address))
        turns.leave(Self.client(other))
    }

    @Test(.timeLimit(.minutes(1))) func largeBodiesOfManySitesLeaveACoreToOtherCallsAndTheirSitesFollowOneAnother() async throws {
        let (turns, order) = (ClientTurns.ofLargeBodies(cores: 2), Order())
        try await turns.enter(Self.client("203.0.113.1"))
        await withTaskGroup(of: Void.self) { group in
            // Three of the first site, then one of each of three others.
            for (waiting, site) in [1, 1, 1, 2, 3, 4].enumerated() {
                group.addTask {
                    let client = Self.client("203.0.\(112 + site).1")
                    await #expect(throws: Never.self) { try await turns.enter(client) }
                    order.append(site)
                    turns.leave(client)
                }
                while turns.waitingCount <= waiting { await Task.yield() }
            }
            #expect(order.sites.isEmpty, "one of all sites has its turn")
            turns.leave(Self.client("203.0.113.1"))
        }
        #expect(order.sites == [2, 3, 4, 1, 1, 1], "the first site just had its turn")
    }

    @Test(.timeLimit(.minutes(1))) func onceTooManyOfAllSitesWaitOnlyAFreeTurnIsGiven() async throws {
        let turns = ClientTurns(atOnce: (ofSite: 1, ofAll: 2), shares: NetworkShares(address: 64), waiting: 0)
        let (client, other) = (Self.client("203.0.113.7"), Self.client("203.0.114.7"))
        try await turns.enter(client)
        await #expect(throws: Failure.self) { try await turns.enter(client) }
        try await turns.enter(other)
        turns.leave(other)
        turns.leave(client)
        try await turns.enter(client)
        turns.leave(client)
    }

    @Test(.timeLimit(.minutes(1))) func tooManyThatWaitAreRefused() async throws {
        let client = Self.client("203.0.113.7")
        let most = turns.shares.address
        let first = ClientTurn(turns, of: client)
        try await first.begin()
        await withTaskGroup(of: Bool.self) { [turns] group in
            for _ in 0..<most + 4 {
                group.addTask {
                    let turn = ClientTurn(turns, of: client)
                    let hasTurn = (try? await turn.begin()) != nil
                    turn.end()
                    return hasTurn
                }
            }
            // No other task ends while the first has its turn.
            for _ in 0..<5 {
                let hasTurn = await group.next()
                #expect(hasTurn == false)
            }
            first.end()
            for _ in 0..<most - 1 {
                let hasTurn = await group.next()
                #expect(hasTurn == true)
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func asManyCallsOfASiteAsThereArePlacesRunAtOnce() async throws {
        let (calls, running) = (ClientTurns.ofCalls(), Count())
        let most = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
                let client = Self.client("203.0.113.\(number % 10)")
                group.addTask {
                    let turn = ClientTurn(calls, of: client)
                    try await turn.begin()
                    let now = running.add(1)
                    try await Task.sleep(for: .milliseconds(1))
                    running.add(-1)
                    turn.end()
                    return now
                }
            }
            return try await group.reduce(0, max)
        }
        #expect(most == 16)
    }

    @Test func aTurnEndsOnce() async throws {
        let client = Self.client("203.0.113.7")
        let (first, second) = (ClientTurn(turns, of: client), ClientTurn(turns, of: client))
        second.end()
        try await first.begin()
        first.end()
        first.end()
        try await second.begin()
        let later = Count()
        let third = Task { [turns] in
            try await turns.enter(client)
            _ = later.add(1)
            turns.leave(client)
        }
        for _ in 0..<10 { await Task.yield() }
        #expect(later.add(0) == 0, "the second still has its turn")
        second.end()
        try await third.value
        #expect(later.add(0) == 1)
    }

    @Test(.timeLimit(.minutes(1))) func aTurnThatLastsPassesOn() async throws {
        let turns = ClientTurns(
            atOnce: (ofSite: 1, ofAll: 1), shares: NetworkShares(address: 64), waiting: 9, longest: .milliseconds(1))
        let waiting = ClientTurn(turns, of: Self.client("203.0.113.7"))
        try await waiting.begin()
        try await ClientTurn(turns, of: Self.client("203.0.114.7")).begin()
        #expect(waiting.isOver)
    }

    @Test(.timeLimit(.minutes(1))) func whenTooManyWaitTheLastOneOfTheSiteThatHasMostMakesRoom() async throws {
        let turns = ClientTurns(atOnce: (ofSite: 1, ofAll: 1), shares: NetworkShares(address: 64), waiting: 4)
        try await turns.enter(Self.client("203.0.113.1"))
        let order = Order()
        await withTaskGroup(of: Void.self) { group in
            for (number, site) in [1, 1, 1, 1, 2, 3, 1].enumerated() {
                group.addTask {
                    let client = Self.client("203.0.\(112 + site).1")
                    guard (try? await turns.enter(client)) != nil else { return order.append(-number) }
                    order.append(site)
                    turns.leave(client)
                }
                while turns.waitingCount + order.sites.count <= number { await Task.yield() }
            }
            #expect(order.sites == [-3, -2, -6], "of the first site, the last two for others, and one that came then")
            turns.leave(Self.client("203.0.113.1"))
        }
        #expect(Set(order.sites.dropFirst(3)) == [1, 2, 3])
    }

    @Test func theTurnOfALargeBodyEndsOnceItIsParsed() async throws {
        let request = Request(
            head: HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/v1/open"),
            body: RequestBody(buffer: ByteBuffer(string: "{}")))
        let (first, second) = (
            ClientTurn(turns, of: Self.client("203.0.113.7")), ClientTurn(turns, of: Self.client("203.0.114.7"))
        )
        try await first.begin()
        let wasHeld = try await ClientTurnsMiddleware.$turnOfLargeBody.withValue(first) {
            try await request.parsed(upTo: 9) { _ in !first.isOver }
        }
        #expect(wasHeld && first.isOver)

        try await second.begin()
        await #expect(throws: Failure.self, "one that cannot be parsed") {
            try await ClientTurnsMiddleware.$turnOfLargeBody.withValue(second) {
                try await request.parsed(upTo: 9) { _ in throw Failure.invalid("It is no JSON.") }
            }
        }
        #expect(second.isOver)
    }

    /// What follows may wait: for the database, for a password to be hashed, or for a provider of sign-ins.
    @Test func noCallKeepsTheTurnOfItsLargeBody() async throws {
        let turns = turns
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            let token = try await exchange.token(.admin)
            let session = try await DashboardBrowser(exchange, as: .admin).cookie ?? ""
            let (form, json) = ("application/x-www-form-urlencoded", "application/json")
            let calls: [(path: String, type: String, body: String)] = [
                ("/v1/open", json, #"{"branch_key": "\#(key)"}"#), ("/v1/open", json, "no JSON"),
                ("/v1/open", json, #"{"branch_key": "key_live_unknown"}"#), ("/v1/url/bulk/\(key)", json, "[{}]"),
                ("/v1/gdpr", json, "{}"), ("/c/1/device", json, "{}"),
                ("/mcp", json, #"{"jsonrpc": "2.0", "id": 1, "method": "ping"}"#),
                ("/api/v1/links/import?app=\(app.app.id)", "text/csv", "channel\nmail\n"),
                ("/dashboard/sign-in", form, "name=ann&password=wrong"), ("/dashboard/sign-in/code", form, "code=1"),
                ("/dashboard/account/second-factor", form, "password=wrong"),
            ]
            for (path, type, body) in calls {
                let turn = ClientTurn(turns, of: Self.client("203.0.113.7"))
                try await turn.begin()
                let headers: HTTPFields = [
                    .contentType: type, .authorization: "Bearer \(token)", .cookie: session,
                    .init("Sec-Fetch-Site")!: "same-origin",
                ]
                _ = try await ClientTurnsMiddleware.$turnOfLargeBody.withValue(turn) {
                    try await exchange.send(.post, path, headers: headers, body: Array(body.utf8))
                }
                #expect(turn.isOver, "\(path)")
            }
        }
    }

    @Test func aCallWithTheSecretTakesNoTurnAnyMore() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let channel = EmbeddedChannel()
            var context = LindenContext(source: ApplicationRequestContextSource(channel: channel, logger: Logger(label: "test")))
            for secret in ["wrong", nil, app.live.secret] {
                let call = ClientTurn(.ofCalls(), of: Self.client("203.0.113.7"))
                context.callTurn = call
                _ = try await context.admittedApp(
                    branchKey: app.live.key.branchKey, secret: secret, in: exchange.services.directory)
                #expect(call.isOver == (secret == app.live.secret))
            }
        }
    }

    @Test func aCallWithoutAKeyBeginsItsTurn() async throws {
        var context = LindenContext(
            source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "test")))
        let call = ClientTurn(.ofCalls(), of: Self.client("203.0.113.7"))
        context.callTurn = call
        try await context.beginTurn()
        #expect(!call.isOver)
    }

    @Test(arguments: [(HTTPField.Name.authorization, "Bearer linden_x", true), (.accept, "text/html", false)])
    func aCallWithAnAccessTokenBeginsItsTurnAtOnce(name: HTTPField.Name, value: String, begins: Bool) async throws {
        try await Self.call([name: value]) { #expect($0.callTurn?.isOver == !begins) }
    }

    @Test func aBodyThatIsStillToComeKeepsNoOtherCallWaiting() async throws {
        try await Self.call([.authorization: "Bearer linden_x", .contentLength: "5"]) { #expect($0.callTurn?.isOver == true) }
    }

    /// Sends the head of a call through the middleware.
    private static func call(_ fields: HTTPFields, _ check: @escaping @Sendable (LindenContext) -> Void) async throws {
        let middleware = ClientTurnsMiddleware(limiter: RateLimiter(limits: RateLimits(exempt: []), now: { 0 }))
        var context = LindenContext(
            source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "test")))
        context.client = try #require(ClientAddress("203.0.113.7"))
        let head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1", path: "/api/v1/links", headerFields: fields)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        _ = try await middleware.handle(request, context: context) { _, context in
            check(context)
            return Response(status: .ok)
        }
    }

    /// Would wait for ever if a call kept its turn.
    @Test(.timeLimit(.minutes(1))) func manyLargeEventsOfOneSiteAreRecordedAndThoseThatFailGiveTheirTurnBack() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let data: JSON = ["skin": .string(String(repeating: "g", count: 70_000))]
            let event: JSON = ["branch_key": .string(key), "name": "pear", "custom_data": data]
            let withoutKey: JSON = ["name": "pear", "custom_data": data]
            for _ in 0..<20 { #expect(try await Self.post(withoutKey, from: 1, to: exchange) != 200) }
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<30 {
                    group.addTask { try await Self.post(event, from: number, to: exchange) }
                }
                for try await status in group { #expect(status == 200) }
            }
            #expect(try await exchange.rows("SELECT COUNT(*) FROM events") == 30)
        }
    }

    private static func post(_ event: JSON, from number: Int, to exchange: Exchange) async throws -> Int {
        try await exchange.post(
            "/v2/event/custom", event, from: "203.0.113.\(number)", headers: [.contentLength: String(event.bytes.count)]
        ).status
    }

    private static func client(_ address: String) -> ClientNetwork { ClientNetwork(ClientAddress(address)!) }
}

/// The sites that had their turns.
private final class Order: Sendable {
    private let state = Mutex<[Int]>([])

    var sites: [Int] { state.withLock { $0 } }

    func append(_ site: Int) { state.withLock { $0.append(site) } }
}
