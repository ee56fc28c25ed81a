import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import SQLiteStorage
import Testing

/// Lists of an app's links.
@Suite struct LinkListTests {
    struct Condition: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let links: [String]
        let change: @Sendable (inout LinkFilter) -> Void

        init(_ name: String, _ links: [String], _ change: @escaping @Sendable (inout LinkFilter) -> Void) {
            testDescription = name
            self.links = links
            self.change = change
        }
    }

    private static let samples = [
        NewLink(
            alias: "pears",
            labels: Labels(channel: "mail", feature: "sharing", campaign: "spring", stage: "new", tags: ["red", "sweet"]),
            data: ["variety": "Williams"]),
        NewLink(
            alias: "apples/cox", labels: Labels(channel: "Mail", campaign: "Spring 50%", tags: ["red wine"]),
            data: ["variety": "Cox Orange"]),
        NewLink(alias: "plums", labels: Labels(channel: "sms", stage: "a_b"), data: ["quote": #"say "ripe""#]),
    ]

    private static let conditions = [
        Condition("none", ["plums", "apples/cox", "pears"]) { _ in },
        Condition("channel, as it is written", ["pears"]) { $0.channel = "mail" },
        Condition("feature", ["pears"]) { $0.feature = "sharing" },
        Condition("campaign, the whole of it", ["pears"]) { $0.campaign = "spring" },
        Condition("stage", ["plums"]) { $0.stage = "a_b" },
        Condition("tag, the whole of it", ["pears"]) { $0.tag = "red" },
        Condition("tag in capitals", ["apples/cox"]) { $0.tag = "RED Wine" },
        Condition("part of a tag", []) { $0.tag = "wine" },
        Condition("text in a path", ["apples/cox"]) { $0.text = "les/c" },
        Condition("text in data", ["apples/cox"]) { $0.text = "ORANGE" },
        Condition("text in labels of several links", ["apples/cox", "pears"]) { $0.text = "spring" },
        Condition("text in a tag", ["pears"]) { $0.text = "sweet" },
        Condition("a percent sign", ["apples/cox"]) { $0.text = "50%" },
        Condition("an underscore", ["plums"]) { $0.text = "a_b" },
        Condition("an underscore does not stand for any character", []) { $0.text = "m_il" },
        Condition("text that no link has", []) { $0.text = "cherries" },
        Condition("all conditions hold", ["apples/cox"]) {
            $0.channel = "Mail"
            $0.text = "spring"
        },
        Condition("each condition holds, for different links", []) {
            $0.channel = "sms"
            $0.tag = "red"
        },
    ]

    @Test(arguments: conditions)
    func onlyLinksThatMeetAllConditionsAreListed(condition: Condition) async throws {
        try await Installation.run { installation in
            let app = try await installation.services.apps.context(installation.createApp().live.key.branchKey)
            for sample in Self.samples { _ = try await installation.services.links.create(sample, for: app) }
            var filter = LinkFilter()
            condition.change(&filter)

            let page = try await installation.services.linkLists.list(filter, of: app.scope, limit: 10)

            #expect(page.links.map(\.address.path) == condition.links)
            #expect(page.next == nil)
        }
    }

    @Test func theIdOfALinkFindsThatLinkWhichMeetsTheOtherConditions() async throws {
        try await Installation.run { installation in
            let services = installation.services
            let app = try await services.apps.context(installation.createApp().live.key.branchKey)
            let other = try await services.apps.context(installation.createApp("Grove").live.key.branchKey)
            let pears = try await services.links.create(NewLink(alias: "pears", labels: Labels(channel: "mail")), for: app)
            let next = try await services.links.create(NewLink(alias: "plums", data: ["after": .string("\(pears.id)")]), for: app)
            let stranger = try await services.links.create(NewLink(alias: "figs"), for: other)
            func found(_ id: Link.ID, _ change: (inout LinkFilter) -> Void = { _ in }) async throws -> [String] {
                var filter = LinkFilter()
                filter.text = "\(id)"
                change(&filter)
                return try await services.linkLists.list(filter, of: app.scope, limit: 10).links.map(\.address.path)
            }

            #expect(try await found(pears.id) == ["pears"])
            #expect(try await found(next.id) == ["plums"])
            #expect(try await found(stranger.id) == [])
            #expect(try await found(pears.id) { $0.channel = "mail" } == ["pears"])
            #expect(try await found(next.id) { $0.channel = "mail" } == [])
            let later = installation.clock.now + .seconds(60)
            #expect(try await found(pears.id) { $0.created = later..<later + .seconds(60) } == [])
            for text in [Int64.min, -1, .max] { #expect(try await found(Link.ID(rawValue: text)) == []) }

            try await services.links.delete(pears.id)
            #expect(try await found(pears.id) { $0.state = .deleted } == ["pears"])
            #expect(try await found(pears.id) == ["plums"], "The link that has the text is found, as for any text.")
        }
    }

    @Test func aLinkIsOpenUntilItExpiresIsConsumedOrHasNoClicksLeft() async throws {
        try await Installation.run { installation in
            let (services, clock) = (installation.services, installation.clock)
            let app = try await services.apps.context(installation.createApp().live.key.branchKey)
            func create(_ new: NewLink) async throws -> Link { try await services.links.create(new, for: app) }
            func list(_ state: LinkFilter.State?) async throws -> [String] {
                var filter = LinkFilter()
                filter.state = state
                return try await services.linkLists.list(filter, of: app.scope, limit: 10).links.map(\.address.path)
            }
            _ = try await create(NewLink(alias: "pears"))
            _ = try await create(NewLink(alias: "plums", limits: LinkLimits(expiresAt: clock.now + .seconds(60))))
            let once = try await create(NewLink(alias: "cherries", kind: .oneTimeUse))
            let limited = try await create(NewLink(alias: "figs", limits: LinkLimits(maxClicks: 1)))
            let deleted = try await create(NewLink(alias: "dates"))
            #expect(try await list(.open) == ["dates", "figs", "cherries", "plums", "pears"])
            #expect(try await list(.ended) == [])

            clock.advance(by: .seconds(60))
            try await installation.storage.write { transaction in
                _ = try transaction.useUp(once.id, at: transaction.now)
                _ = try transaction.takeClick(of: limited.id)
            }
            try await services.links.delete(deleted.id)

            #expect(try await list(.open) == ["pears"])
            #expect(try await list(.ended) == ["figs", "cherries", "plums"])
            #expect(try await list(.deleted) == ["dates"])
            #expect(try await list(nil) == ["figs", "cherries", "plums", "pears"])
        }
    }

    @Test func anArchivedLinkIsListedOnlyWhereItIsAskedForUntilItIsRestored() async throws {
        try await Installation.run { installation in
            let services = installation.services
            let app = try await services.apps.context(installation.createApp().live.key.branchKey)
            let pears = try await services.links.create(NewLink(alias: "pears"), for: app)
            let plums = try await services.links.create(NewLink(alias: "plums"), for: app)
            func lists() async throws -> [[String]] {
                var lists: [[String]] = []
                for state in [nil] + LinkFilter.State.allCases.map(Optional.some) {
                    var filter = LinkFilter()
                    filter.state = state
                    lists.append(try await services.linkLists.list(filter, of: app.scope, limit: 10).links.map(\.address.path))
                }
                return lists
            }

            #expect(try await services.links.update(pears.id, with: LinkChanges(isArchived: true)).isArchived)
            #expect(try await lists() == [["plums"], ["plums"], [], ["pears"], []])
            #expect(try await services.links.update(pears.id, with: LinkChanges(channel: .set("mail"))).isArchived)

            #expect(try await !services.links.update(pears.id, with: LinkChanges(isArchived: false)).isArchived)
            #expect(try await lists() == [["plums", "pears"], ["plums", "pears"], [], [], []])

            _ = try await services.links.update(plums.id, with: LinkChanges(isArchived: true))
            try await services.links.delete(plums.id)
            #expect(try await lists() == [["pears"], ["pears"], [], [], ["plums"]])
        }
    }

    @Test func onlyLinksThatWereCreatedInTheTimeAreListed() async throws {
        try await Installation.run { installation in
            let (services, clock) = (installation.services, installation.clock)
            let app = try await services.apps.context(installation.createApp().live.key.branchKey)
            var times: [Timestamp] = []
            for alias in ["pears", "plums", "figs"] {
                clock.advance(by: .seconds(3600))
                times.append(clock.now)
                _ = try await services.links.create(NewLink(alias: alias), for: app)
            }
            var filter = LinkFilter()
            for (created, links) in [
                (times[0]..<times[2], ["plums", "pears"]), (times[1]..<times[1] + .milliseconds(1), ["plums"]),
                (times[1]..<times[1], []), (times[2] + .milliseconds(1)..<times[2] + .seconds(1), []),
            ] as [(Range<Timestamp>, [String])] {
                filter.created = created
                let page = try await services.linkLists.list(filter, of: app.scope, limit: 10)
                #expect(page.links.map(\.address.path) == links)
            }
        }
    }

    @Test(arguments: LinkOrder.allCases)
    func pagesHaveEachLinkOnceWhileLinksAreAdded(order: LinkOrder) async throws {
        try await Installation.run { installation in
            let services = installation.services
            let app = try await services.apps.context(installation.createApp().live.key.branchKey)
            let aliases = (1...7).map { "pears-\($0)" }
            for alias in aliases { _ = try await services.links.create(NewLink(alias: alias), for: app) }
            var listed: [String] = []
            var last: Link.ID?
            repeat {
                let page = try await services.linkLists.list(of: app.scope, order: order, after: last, limit: 2)
                #expect((1...2).contains(page.links.count))
                listed += page.links.map(\.address.path)
                last = page.next
                _ = try await services.links.create(NewLink(alias: "late-\(listed.count)"), for: app)
            } while last != nil && listed.count < 20
            #expect(last == nil)
            #expect(Set(listed).count == listed.count)
            #expect(listed.filter { $0.hasPrefix("pears") } == (order == .newest ? aliases.reversed() : aliases))
        }
    }

    @Test func thePageThatHoldsTheLastLinkIsTheLastPage() async throws {
        try await Installation.run { installation in
            let services = installation.services
            let app = try await services.apps.context(installation.createApp().live.key.branchKey)
            for alias in ["pears", "plums"] { _ = try await services.links.create(NewLink(alias: alias), for: app) }
            let page = try await services.linkLists.list(of: app.scope, limit: 2)
            #expect(page.links.count == 2)
            #expect(page.next == nil)
        }
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max])
    func aPageAfterAnImpossibleIdIsThatOfTheNearestOne(id: Int64) async throws {
        try await Installation.run { installation in
            let services = installation.services
            let app = try await services.apps.context(installation.createApp().live.key.branchKey)
            _ = try await services.links.create(NewLink(alias: "pears"), for: app)
            for order in LinkOrder.allCases {
                let page = try await services.linkLists.list(of: app.scope, order: order, after: Link.ID(rawValue: id), limit: 2)
                #expect(page.links.count == ((order == .newest) == (id == .max) ? 1 : 0))
            }
        }
    }

    @Test func otherAppsAndTheOtherSideAreApart() async throws {
        try await Installation.run { installation in
            let services = installation.services
            let (orchard, meadow) = (try await installation.createApp(), try await installation.createApp("Meadow"))
            let sides = [orchard.live.key, orchard.test.key, meadow.live.key]
            for (number, key) in sides.enumerated() {
                let app = try await services.apps.context(key.branchKey)
                _ = try await services.links.create(NewLink(alias: "pears-\(number)"), for: app)
            }
            for (number, key) in sides.enumerated() {
                let page = try await services.linkLists.list(of: key.scope, limit: 10)
                #expect(page.links.map(\.address.path) == ["pears-\(number)"])
            }
        }
    }

    @Test func aTextThatIsTooLongToSearchForIsRefused() async throws {
        try await Installation.run { installation in
            let scope = try await installation.createApp().live.key.scope
            var filter = LinkFilter()
            filter.text = String(repeating: "x", count: 513)
            let tooLong = filter
            let failure = await #expect(throws: Failure.self) {
                try await installation.services.linkLists.list(tooLong, of: scope, limit: 10)
            }
            #expect(failure?.message == "search may have at most 512 bytes.")
        }
    }
}
