import Linden
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

@Suite struct TermTests {
    @Test func aUserAgentIsWrittenOnceAndCutAtItsLongest() async throws {
        try await Installation.run { installation in
            let long = String(repeating: "ä", count: 400)
            for agent in [long, long, "Browser/1", "Browser/1"] { try await installation.click(userAgents: [agent]) }
            let values = try await installation.texts("SELECT value FROM terms ORDER BY id")
            #expect(values == [String(repeating: "ä", count: 256), "Browser/1"])
        }
    }

    @Test func aDayThatBringsTooManyNewOnesMakesTheRestOther() async throws {
        try await Installation.run { installation in
            try await installation.click(userAgents: (0..<10_500).map { "Browser/\($0)" })
            #expect(try await installation.count("SELECT COUNT(*) FROM terms") == 10_001)
            #expect(try await installation.count("SELECT COUNT(*) FROM terms WHERE value = 'other'") == 1)
            installation.clock.advance(by: .seconds(86400))
            try await installation.click(userAgents: ["Browser/tomorrow"])
            #expect(try await installation.count("SELECT COUNT(*) FROM terms WHERE value = 'Browser/tomorrow'") == 1)
        }
    }
}

extension Installation {
    fileprivate func click(userAgents: [String]) async throws {
        let app = try await createApp()
        let context = try await services.directory.app(branchKey: app.live.key.branchKey)
        let link = try await services.links.mint(NewLink(), for: context)
        try await storage.write { transaction in
            for agent in userAgents {
                try transaction.insert(.sample(of: link, userAgent: agent, try transaction.newID()))
            }
        }
    }
}
