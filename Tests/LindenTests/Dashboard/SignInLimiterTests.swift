import LindenKernel
import LindenTesting
import Testing

@testable import LindenServices

@Suite struct SignInLimiterTests {
    @Test func fiveSignInsWithANameMayFailIn15Minutes() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            try await installation.createUser()
            for number in 0..<5 {
                #expect(try await installation.refusedSignIn().code == .unauthorized, "\(number)")
                installation.clock.advance(by: .seconds(60))
            }
            let failure = try await installation.refusedSignIn("ANN", orchardPassword)
            #expect(failure.code == .rateLimited)
            #expect(failure.retryAfter == 600)
            #expect(failure.message.contains("try again in 600 s"))

            // Another name, or another network, is not affected.
            #expect(try await installation.refusedSignIn("ben").code == .unauthorized)
            try await installation.signIn(from: "198.51.100.7")

            installation.clock.advance(by: .seconds(599))
            #expect(try await installation.refusedSignIn("ann", orchardPassword).code == .rateLimited)
            installation.clock.advance(by: .seconds(1))
            try await installation.signIn()
        }
    }

    @Test func anUnknownNameIsLimitedLikeAKnownOne() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            var codes: [Failure.Code] = []
            for _ in 0..<6 { codes.append(try await installation.refusedSignIn("unknown").code) }
            #expect(codes.dropLast().allSatisfy { $0 == .unauthorized })
            #expect(codes.last == .rateLimited)
        }
    }

    @Test func twentySignInsFromANetworkMayFailIn15Minutes() async throws {
        let hasher = CountingHasher()
        try await Installation.run(passwords: hasher) { installation in
            try await installation.createUser()
            for number in 0..<20 {
                #expect(try await installation.refusedSignIn("name \(number)", from: "203.0.113.\(number)").code == .unauthorized)
            }
            let failure = try await installation.refusedSignIn("ann", orchardPassword, from: "203.0.113.99")
            #expect((failure.code, failure.retryAfter) == (.rateLimited, 900))
            #expect(hasher.verifications.count == 20)
            try await installation.signIn(from: "203.0.114.99")
        }
    }

    /// Whether or not there is a user of the name, so that the time tells nothing about it.
    @Test func aPasswordWaitsInTheTurnOfItsNetwork() async throws {
        let hasher = CountingHasher()
        try await Installation.run(passwords: hasher) { installation in
            try await installation.createUser()
            try await installation.signIn(from: "198.51.100.7")
            _ = try await installation.refusedSignIn("unknown", from: "2001:db8:1::7")
            let clients: [ClientNetwork?] = ["198.51.100.7", "2001:db8:1::7"].map { ClientNetwork(ClientAddress($0)!) }
            #expect(hasher.clients == clients)
        }
    }

    /// An IPv6 customer has a /48, so its addresses are one network.
    @Test func theAddressesOfAnIPv6SiteShareTheLimit() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            for number in 0..<5 { _ = try await installation.refusedSignIn(from: "2001:db8:1:\(number)::1") }
            #expect(try await installation.refusedSignIn(from: "2001:db8:1:9::1").code == .rateLimited)
            #expect(try await installation.refusedSignIn(from: "2001:db8:2::1").code == .unauthorized)
        }
    }

    @Test func aSignInThatSucceedsOrWasNotCheckedDoesNotCount() async throws {
        let limiter = SignInLimiter()
        try await Installation.run(passwords: CountingHasher()) { installation in
            try await installation.createUser()
            for _ in 0..<30 { try await installation.signIn() }
            #expect(try await installation.refusedSignIn().code == .unauthorized)
        }
        let busy = CountingHasher { throw Failure.unavailable("Too many passwords are checked at once.") }
        try await Installation.run(passwords: busy) { installation in
            try await installation.createUser()
            for _ in 0..<30 { #expect(try await installation.refusedSignIn().code == .unavailable) }
        }
        let address = try #require(ClientAddress("203.0.113.7"))
        let now = TestClock().now
        for _ in 0..<30 { limiter.giveBack(try limiter.take(name: "ann", from: address, at: now)) }
    }

    /// Otherwise many attempts at once would all begin before the first one has failed.
    @Test func attemptsAtTheSameTimeDoNotExceedTheLimit() async throws {
        let hasher = CountingHasher { try await Task.sleep(for: .milliseconds(20)) }
        try await Installation.run(passwords: hasher) { installation in
            try await installation.createUser()
            let codes = await withTaskGroup(of: Failure.Code?.self) { group in
                for _ in 0..<30 { group.addTask { try? await installation.refusedSignIn().code } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.filter { $0 == .unauthorized }.count == 5)
            #expect(codes.filter { $0 == .rateLimited }.count == 25)
            #expect(hasher.verifications.count == 5)
        }
    }

    /// A flood from many networks takes bounded memory, and does not reset a name that is attacked meanwhile.
    @Test func theMemoryIsBounded() throws {
        let limiter = SignInLimiter(capacity: 100)
        let now = TestClock().now
        let victim = try #require(ClientAddress("203.0.113.7"))
        for _ in 0..<SignInLimiter.mostPerName { _ = try limiter.take(name: "ann", from: victim, at: now) }
        for number in 0..<10_000 {
            let address = try #require(ClientAddress("10.\(number / 256).\(number % 256).1"))
            _ = try limiter.take(name: String(repeating: "\(number)", count: 100), from: address, at: now)
            if number % 10 == 0 {
                #expect(throws: Failure.self) { try limiter.take(name: "ann", from: victim, at: now) }
            }
        }
        #expect(limiter.count <= 100)
    }
}
