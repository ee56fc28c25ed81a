import Dispatch
import LindenKernel
import NIOPosix
import OutgoingHTTP
import Testing

@Suite(.timeLimit(.minutes(1))) struct NameResolverTests {
    @Test(arguments: ["127.0.0.1", "192.0.2.7", "::1", "2001:db8::7"])
    func theSystemsAnswerIsReadAsItIs(address: String) async throws {
        #expect(try await SystemNameResolver.addresses(of: address) == [try #require(IPAddress(address))])
    }

    @Test func localhostIsThisMachine() async throws {
        let addresses = try await SystemNameResolver.addresses(of: "localhost")
        #expect(!addresses.isEmpty)
        #expect(addresses.allSatisfy { ["127.0.0.1", "::1"].contains($0.description) })
    }

    @Test func slowNamesThatOnePartyChoseLeaveLookUpsToOthers() throws {
        let (orchard, meadow) = (LookupParty("orchard", limit: 3), LookupParty("meadow", limit: 3))
        let stranger = LookupParty("stranger", limit: 2)
        try inProgress([[orchard, stranger], [orchard, stranger]]) {
            // A client without places left has none with another app either, and takes no more of the app's.
            #expect(!isAdmitted([orchard, stranger]))
            #expect(!isAdmitted([meadow, stranger]))
            try inProgress([[orchard]]) {
                #expect(!isAdmitted([orchard]))
                try inProgress([[meadow], [meadow], [meadow]]) {}
            }
        }
        // Finished look-ups make room.
        try inProgress([[orchard, stranger], [orchard, stranger], [orchard]]) {}
    }

    /// Does work while look-ups for these parties are in progress.
    private func inProgress(_ parties: [[LookupParty]], _ work: () throws -> Void) throws {
        guard let first = parties.first else { return try work() }
        try SystemNameResolver.limited(for: first) { try inProgress(Array(parties.dropFirst()), work) }
    }

    private func isAdmitted(_ parties: [LookupParty]) -> Bool {
        do {
            try SystemNameResolver.limited(for: parties) {}
            return true
        } catch {
            return error as? FetchError != .timedOut
        }
    }

    @Test func aCallerWaitsNoLongerForANameOnceCancelled() async throws {
        let threads = NIOThreadPool(numberOfThreads: 1)
        threads.start()
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        let lookup = Task {
            try await SystemNameResolver.abandonable(on: threads) {
                begin.yield()
                release.wait()
            }
        }
        for await _ in begun { break }
        let queued = Task {
            try await SystemNameResolver.abandonable(on: threads) { Issue.record("It was abandoned before it began.") }
        }
        queued.cancel()
        lookup.cancel()
        await #expect(throws: CancellationError.self) { try await queued.value }
        await #expect(throws: CancellationError.self) { try await lookup.value }
        release.signal()
        try await threads.shutdownGracefully()
    }
}
