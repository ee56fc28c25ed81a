import Linden
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

@Suite struct StringDictionaryTests {
    @Test func aUserAgentIsWrittenOnceAndCutAtItsLongest() async throws {
        try await Installation.run { installation in
            let long = String(repeating: "ä", count: 400)
            for agent in [long, long, "Browser/1", "Browser/1"] { try await installation.click(userAgents: [agent]) }
            let values = try await installation.texts("SELECT value FROM strings ORDER BY id")
            #expect(values == [String(repeating: "ä", count: 256), "Browser/1"])
        }
    }

    @Test func aCutUserAgentStaysWithinItsLongestAndSplitsNoCharacter() async throws {
        try await Installation.run { installation in
            try await installation.click(userAgents: ["a" + String(repeating: "ä", count: 400)])
            let values = try await installation.texts("SELECT value FROM strings")
            #expect(values == ["a" + String(repeating: "ä", count: 255)])
        }
    }

    @Test func twoSpellingsOfAUserAgentAreWrittenApart() async throws {
        try await Installation.run { installation in
            let agents = ["Caf\u{E9}/1", "Cafe\u{301}/1"]
            try await installation.click(userAgents: agents + agents)
            let values = try await installation.texts("SELECT value FROM strings ORDER BY id")
            #expect(values.map { Array($0.utf8) } == agents.map { Array($0.utf8) })
        }
    }

    @Test func aDayThatBringsAnAppTooManyNewOnesMakesTheRestOther() async throws {
        try await Installation.run { installation in
            let app = try await installation.createApp()
            let agents = (0..<10_500).map { "Browser/\($0)" }
            for number in 0..<25 {
                try await installation.click(
                    userAgents: Array(agents[number * 420..<(number + 1) * 420]), from: "203.0.113.\(number)", of: app)
            }
            #expect(try await installation.count("SELECT COUNT(*) FROM strings") == 10_001)
            #expect(try await installation.count("SELECT COUNT(*) FROM strings WHERE value = 'other'") == 1)
            try await installation.click(userAgents: ["Browser/of another app"])
            #expect(try await installation.count("SELECT COUNT(*) FROM strings WHERE value = 'Browser/of another app'") == 1)
            installation.clock.advance(by: .seconds(86400))
            try await installation.click(userAgents: ["Browser/tomorrow"], of: app)
            #expect(try await installation.count("SELECT COUNT(*) FROM strings WHERE value = 'Browser/tomorrow'") == 1)
        }
    }
}

extension StringDictionaryTests {
    @Test func oneAddressUsesUpItsShareOfTheDaysNewOnesAndNotThoseOfOthers() async throws {
        try await Installation.run { installation in
            try await installation.click(userAgents: (0..<10_050).map { "Made-up/\($0)" }, from: "203.0.113.7")
            #expect(try await installation.count("SELECT COUNT(*) FROM strings WHERE value LIKE 'Made-up/%'") == 500)
            try await installation.click(userAgents: ["Browser/new"], from: "198.51.100.1")
            #expect(try await installation.count("SELECT COUNT(*) FROM strings WHERE value = 'Browser/new'") == 1)
            installation.clock.advance(by: .seconds(86400))
            try await installation.click(userAgents: ["Made-up/tomorrow"], from: "203.0.113.7")
            #expect(try await installation.count("SELECT COUNT(*) FROM strings WHERE value = 'Made-up/tomorrow'") == 1)
        }
    }

    @Test func theAddressesOfOneSiteShareFourTimesTheNewOnesOfAnAddress() async throws {
        try await Installation.run { installation in
            for number in 0..<8 {
                let agents = (0..<400).map { "Made-up/\(number)-\($0)" }
                try await installation.click(userAgents: agents, from: "2001:db8:1:\(number)::/64", site: 7)
            }
            #expect(try await installation.count("SELECT COUNT(*) FROM strings WHERE value LIKE 'Made-up/%'") == 2_000)
            try await installation.click(userAgents: ["Browser/new"], from: "2001:db8:2:0::/64", site: 8)
            #expect(try await installation.count("SELECT COUNT(*) FROM strings WHERE value = 'Browser/new'") == 1)
        }
    }

    @Test func aNewOneThatWasRefusedIsStoredWhenAnotherAddressBringsIt() async throws {
        try await Installation.run { installation in
            let agents = (0..<501).map { "Browser/\($0)" }
            try await installation.click(userAgents: agents, from: "203.0.113.7")
            #expect(try await installation.count("SELECT COUNT(*) FROM strings WHERE value = 'Browser/500'") == 0)
            try await installation.click(userAgents: ["Browser/500"], from: "198.51.100.1")
            #expect(try await installation.count("SELECT COUNT(*) FROM strings WHERE value = 'Browser/500'") == 1)
        }
    }

    @Test func whereNoAddressIsStoredAllMayBringHalf() async throws {
        try await Installation.run { installation in
            try await installation.click(userAgents: (0..<5_050).map { "Browser/\($0)" }, from: "")
            #expect(try await installation.count("SELECT COUNT(*) FROM strings WHERE value LIKE 'Browser/%'") == 5_000)
        }
    }
}

extension Installation {
    /// Records a click on a new link of an app, by default a new one, for each user agent.
    fileprivate func click(
        userAgents: [String], from address: String = "203.0.113.7", site: Int64? = nil, of known: CreatedApp? = nil
    ) async throws {
        let app = if let known { known } else { try await createApp() }
        let context = try await services.directory.app(branchKey: app.live.key.branchKey)
        let link = try await services.links.create(NewLink(), for: context)
        try await storage.write { transaction in
            for agent in userAgents {
                try transaction.insert(.sample(of: link, userAgent: agent, from: address, site: site, try transaction.newID()))
            }
        }
    }
}
