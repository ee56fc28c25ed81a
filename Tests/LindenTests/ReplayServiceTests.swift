import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Testing

@Suite struct ReplayServiceTests {
    @Test func whoBeganFirstTakesTheClickFromALaterSession() async throws {
        try await Installation.run { installation in
            let story = try await installation.story()
            let click = try await story.click("pears")
            let first = try await story.session(comparedWith: click, isLike: false)
            let second = try await story.session(comparedWith: click)
            _ = try await story.apply(story.strict)
            #expect(try await story.click(of: second) == click)

            let changes = try await story.apply(story.lax)
            #expect(changes.map(\.session) == [first, second])
            #expect(try await story.click(of: first) == click)
            #expect(try await story.click(of: second) == nil)
            #expect(changes.last?.reason == "It was given to another installation.")
            #expect(try await story.apply(story.lax).isEmpty)
        }
    }

    @Test func theLaterSessionMayBeOnAnotherPage() async throws {
        try await Installation.run { installation in
            let story = try await installation.story()
            let click = try await story.click("pears")
            let first = try await story.session(comparedWith: click, isLike: false)
            for _ in 0..<600 { _ = try await story.session(comparedWith: nil) }
            let last = try await story.session(comparedWith: click)
            _ = try await story.apply(story.strict)
            #expect(try await story.click(of: last) == click)

            var progress: [Int] = []
            let changes = try await story.apply(story.lax) { progress.append($0.sessions) }
            #expect(changes.map(\.session) == [first, last])
            #expect(try await story.click(of: last) == nil)
            #expect(progress == [200, 400, 600, 602])
        }
    }

    @Test func aSessionOutsideTheReplayKeepsItsClick() async throws {
        try await Installation.run { installation in
            let story = try await installation.story()
            let click = try await story.click("pears")
            let first = try await story.session(comparedWith: click, isLike: false)
            let second = try await story.session(comparedWith: click)
            _ = try await story.apply(story.strict)

            var replay = Replay.all(installation, rules: story.lax)
            replay.isApplied = true
            replay.end = second.time
            let figures = try await installation.services.replays.run(replay)
            #expect(figures == ReplayFigures(sessions: 1, withoutEvidence: 0, changed: 0))
            #expect(try await story.click(of: first) == nil)
            #expect(try await story.click(of: second) == click)
        }
    }

    @Test func aDeterministicClickIsNotReassigned() async throws {
        try await Installation.run { installation in
            let story = try await installation.story()
            let click = try await story.click("pears")
            let first = try await story.session(comparedWith: click)
            var start = story.start
            start.opening.click = click
            let second = try await installation.services.sessions.start(start).id
            #expect(try await story.apply(story.lax).isEmpty)
            #expect(try await story.click(of: first) == nil)
            #expect(try await story.click(of: second) == click)
        }
    }

    @Test func aClickThatManyLaunchesNameIsNotReassigned() async throws {
        try await Installation.run { installation in
            let story = try await installation.story()
            let click = try await story.click("pears")
            let first = try await story.session(comparedWith: click)
            for _ in 0..<20 {
                var start = story.start
                start.opening.click = click
                _ = try await installation.services.sessions.start(start)
            }
            #expect(try await story.apply(story.lax).isEmpty)
            #expect(try await story.click(of: first) == nil)
            // Only some of them are read.
            let none = Device.ID(rawValue: 0)
            #expect(try await installation.storage.read { try $0.sessions(givenTo: click, besides: none, limit: 8).count } == 8)
        }
    }

    /// A link's data may be large, and so would be a page of sessions by it.
    @Test func aPageOfSessionsIsReadWithoutTheirData() async throws {
        try await Installation.run { installation in
            let story = try await installation.story()
            let session = try await story.session(comparedWith: nil)
            let page = try await installation.storage.read {
                try $0.sessions(from: session, before: Session.ID(rawValue: .max), of: nil, limit: 10)
            }
            #expect(page.map(\.id) == [session])
            #expect(page.map(\.data) == [[:]])
        }
    }

    @Test func aOneTimeLinkIsGivenToOneSessionAndOnce() async throws {
        try await Installation.run { installation in
            let story = try await installation.story(NewLink(alias: "once", kind: .oneTimeUse, data: ["fruit": "pear"]))
            let clicks = [try await story.click("once"), try await story.click("once")]
            let first = try await story.session(comparedWith: clicks[0])
            let second = try await story.session(comparedWith: clicks[1])
            #expect(try await story.apply(story.lax).map(\.session) == [first])
            #expect(try await story.click(of: second) == nil)

            #expect(try await story.apply(story.impossible).map(\.session) == [first])
            #expect(try await story.apply(story.lax).isEmpty)
        }
    }

    @Test func aDeletedLinkIsNotMatched() async throws {
        try await Installation.run { installation in
            let story = try await installation.story()
            _ = try await story.session(comparedWith: try await story.click("pears"))
            try await story.connection { try $0.execute("UPDATE links SET deleted_at = 1 WHERE path = 'pears'") }
            #expect(try await story.apply(story.lax).isEmpty)
        }
    }

    @Test func whatALaterSessionSetIsLeftAlone() async throws {
        try await Installation.run { installation in
            let story = try await installation.story()
            let (click, other) = (try await story.click("pears"), try await story.click("apples"))
            let first = try await story.session(comparedWith: click)
            let session = try #require(try await installation.storage.read { try $0.session(first) })
            var start = story.start
            start.caller = .installation
            start.device = session.device
            start.opening.click = other
            _ = try await installation.services.sessions.start(start)

            #expect(try await story.apply(story.lax).count == 1)
            let touch = try await installation.storage.read { try $0.device(session.device)?.lastClick }
            #expect(touch == other)
            let parameters = try await installation.storage.read { try $0.firstSessionData(of: session.identity) }
            #expect(parameters?["fruit"] == "pear")
        }
    }

    @Test func aSessionWithoutEvidenceIsCountedAndLeftAlone() async throws {
        try await Installation.run { installation in
            let story = try await installation.story()
            let session = try await story.session(comparedWith: try await story.click("pears"))
            _ = try await story.apply(story.lax)
            try await story.connection { try $0.execute("UPDATE sessions SET evidence = NULL") }

            let figures = try await installation.services.replays.run(.all(installation, rules: story.impossible))
            #expect(figures == ReplayFigures(sessions: 1, withoutEvidence: 1, changed: 0))
            #expect(try await story.click(of: session) != nil)
        }
    }

    /// Fails for a new member of the rules that is neither in rule files nor excluded here.
    @Test func everyRuleOfDecidingCanBeChanged() throws {
        let members = Mirror(reflecting: AttributionRules.standard).children.compactMap(\.label)
        let names = members.filter { !["candidates", "densityLimit", "rows"].contains($0) }.map { member in
            member.reduce("") { $0 + ($1.isUppercase ? "_" + $1.lowercased() : $1.lowercased()) }
        }
        #expect(Set(names) == Set(AttributionRules.names))
        #expect(try AttributionRules(changes: AttributionRules.standard.json) == .standard)
    }

    @Test func customRulesAreDistinguishedFromTheStandardOnes() throws {
        #expect(try AttributionRules(changes: ["tie_margin": 0]).tieMargin == 0)
        #expect(try AttributionRules(changes: ["threshold": 77]).version == AttributionRules.unnumbered)
        #expect(try AttributionRules(changes: ["threshold": 77, "version": 1007]).version == 1007)
    }
}

/// An app with clicked links, and sessions whose evidence compares them with those clicks.
private struct Story {
    let installation: Installation
    let app: AppContext
    /// Rules that match any click, rules that match only the device that clicked, and rules that match nothing.
    let lax = Story.rules(threshold: 1, version: 1001)
    let strict = Story.rules(threshold: 60, version: 1002)
    let impossible = try! AttributionRules(changes: ["threshold": 1000, "version": 1003])

    private static func rules(threshold: Int64, version: Int64) -> AttributionRules {
        try! AttributionRules(changes: [
            "threshold": .integer(threshold), "version": .integer(version), "address": 50, "language": 20, "other_language": -20,
            "ages": [["up_to": 7200, "points": 0]],
        ])
    }

    var start: SessionStart {
        SessionStart(app: app, caller: .newInstallation, description: DeviceDescription(os: "iOS"), address: .unknown)
    }

    func click(_ alias: String) async throws -> Click.ID {
        let answer = try await installation.services.clicks.visit(
            Visit(host: "go.example.com", path: "/" + alias, userAgent: UserAgents.iPhone, address: ClientAddress("203.0.113.7")!))
        return installation.services.publicIDs.id(for: answer!.clickID)!
    }

    /// Starts an organic install whose evidence has the address of a click.
    func session(comparedWith click: Click.ID?, isLike: Bool = true) async throws -> Session.ID {
        installation.clock.advance(by: .milliseconds(1))
        let id = try await installation.services.sessions.start(start).id
        guard let click else { return id }
        let clicked = try #require(try await installation.storage.read { try $0.click(click) })
        let evidence = Evidence(
            fingerprintSignals: .init(
                traits: .init(os: "iOS", language: "de"),
                clicks: [
                    .init(
                        click: click, link: clicked.link, content: "\(clicked.link)", age: 60, window: 7200,
                        traits: .init(os: "iOS", language: isLike ? "de" : "en"))
                ]))
        try await connection { try $0.execute("UPDATE sessions SET evidence = \(evidence.json) WHERE id = \(id)") }
        return id
    }

    func apply(_ rules: AttributionRules, onPage: (ReplayFigures) -> Void = { _ in }) async throws -> [ReplayChange] {
        var replay = Replay.all(installation, rules: rules)
        replay.isApplied = true
        var changes: [ReplayChange] = []
        _ = try await installation.services.replays.run(
            replay, onChange: { changes.append($0) }, onPage: { figures, _ in onPage(figures) })
        return changes
    }

    func click(of session: Session.ID) async throws -> Click.ID? {
        try await installation.storage.read { try $0.session(session)?.click }
    }

    func connection(_ body: @escaping @Sendable (any SQLConnection) throws -> Void) async throws {
        try await installation.storage.write { try body(($0 as! SQLTransaction).connection) }
    }
}

extension Installation {
    fileprivate func story(_ link: NewLink = NewLink(alias: "pears", data: ["fruit": "pear"])) async throws -> Story {
        let app = try await services.directory.app(branchKey: createApp().live.key.branchKey)
        _ = try await services.links.create(link, for: app)
        _ = try await services.links.create(NewLink(alias: "apples", data: ["fruit": "apple"]), for: app)
        return Story(installation: self, app: app)
    }
}
