import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Testing

@Suite struct SessionServiceTests {
    @Test func ofManyInstallsAtOnceOneGetsTheClick() async throws {
        try await Installation.withFolder { folder in
            try await Installation.run(path: folder + "/linden.db") { installation in
                let app = try await installation.appWithClick()
                let matches = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for _ in 0..<200 {
                        group.addTask { try await installation.install(app).data["+clicked_branch_link"] == true }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(matches == 1)
            }
        }
    }

    @Test func anotherAppsAndTheOtherModesClickNeverMatches() async throws {
        try await Installation.run { installation in
            _ = try await installation.appWithClick()
            let other = try await installation.createApp("Other")
            for key in [other.live.key.branchKey, other.test.key.branchKey] {
                let context = try await installation.services.directory.app(branchKey: key)
                let session = try await installation.install(context)
                #expect(session.data["+clicked_branch_link"] == false)
            }
        }
    }

    @Test func anotherAppsTokensCountAsNone() async throws {
        try await Installation.run { installation in
            let app = try await installation.appWithClick()
            let theirs = try await installation.createApp("Other")
            let foreign = try await installation.install(
                try await installation.services.directory.app(branchKey: theirs.live.key.branchKey))
            var start = SessionStart(app: app, caller: .installation, address: .unknown)
            start.device = foreign.device
            start.identity = foreign.identity.id
            let session = try await installation.services.sessions.start(start)
            #expect(session.device != foreign.device)
            #expect(session.identity.id != foreign.identity.id)
        }
    }

    @Test func aVersionAnAddressOrASystemThatDiffersIsNoMatch() async throws {
        try await Installation.run { installation in
            let app = try await installation.appWithClick()
            for (os, version, address) in [
                ("iOS", "17.5", "2001:db8:7::1"), ("Android", "17.5.1", "2001:db8:7::1"), ("iOS", "17.5.1", "203.0.113.8"),
            ] {
                let session = try await installation.install(app, os: os, version: version, address: address)
                #expect(session.data["+clicked_branch_link"] == false)
            }
            let right = try await installation.install(app)
            #expect(right.data["+clicked_branch_link"] == true)
        }
    }

    @Test func aLinkMayShortenOrLengthenItsWindow() async throws {
        try await Installation.run { installation in
            for (data, duration, wait, matches) in [
                (["$match_duration": 60] as JSONObject, nil as Int64?, 61, false), (["$match_duration": "9000"], 60, 8999, true),
                ([:], 60, 61, false),
                ([:], nil, 7199, true), (["$match_duration": 0], nil, 0, false),
            ] {
                let app = try await installation.appWithClick(NewLink(duration: duration, data: data))
                installation.clock.advance(by: .seconds(wait))
                let session = try await installation.install(app, installedAgo: .seconds(wait))
                #expect(session.data["+clicked_branch_link"] == .bool(matches), "\(data) \(String(describing: duration)) \(wait)")
            }
        }
    }

    @Test func whatIsAppendedToTheLinkSaysTheWindow() async throws {
        try await Installation.run { installation in
            for (query, wait, matches) in [("%24match_duration=60", 61, false), ("%24match_duration=9000", 8999, true)] {
                let app = try await installation.appWithClick(NewLink(data: ["$match_duration": 300]), query: query)
                installation.clock.advance(by: .seconds(wait))
                let session = try await installation.install(app, installedAgo: .seconds(wait))
                #expect(session.data["+clicked_branch_link"] == .bool(matches), "\(query)")
            }
        }
    }

    @Test func whoDoesNotWantToBeTrackedGetsTheLinkAndLeavesNothing() async throws {
        try await Installation.run { installation in
            let app = try await installation.appWithClick(NewLink(alias: "pears", data: ["variety": "Cox"]))
            var start = SessionStart(app: app, caller: .newInstallation, address: .unknown)
            start.isTrackingDisabled = true
            start.developerIdentity = "ann"
            start.description.hardwareID = "H"
            start.opening.url = "https://go.example.com/pears"
            let before = try await installation.rows()
            let session = try await installation.services.sessions.start(start)
            #expect(session.data["variety"] == "Cox")
            #expect(try await installation.rows() == before)
        }
    }

    @Test func anAnonymousUserIsNamedAndAKnownNameIsSwitchedTo() async throws {
        try await Installation.run { installation in
            let app = try await installation.appWithClick()
            func open(_ name: String?, as session: StartedSession? = nil) async throws -> StartedSession {
                var start = SessionStart(app: app, caller: .installation, address: .unknown)
                start.device = session?.device
                start.developerIdentity = name
                return try await installation.services.sessions.start(start)
            }
            let anonymous = try await open(nil)
            let ann = try await open("ann", as: anonymous)
            let bob = try await open("bob", as: ann)
            let annAgain = try await open("ann", as: bob)
            #expect(ann.identity.id == anonymous.identity.id)
            #expect(bob.identity.id != ann.identity.id)
            #expect(annAgain.identity.id == ann.identity.id)
            #expect(annAgain.device == anonymous.device)
        }
    }

    @Test func everySessionKeepsWhyItWasGivenToALinkOrToNone() async throws {
        try await Installation.run { installation in
            let app = try await installation.appWithClick()
            for (outcome, matcher) in [(.matched, "fingerprint"), (.refused, nil)] as [(AttributionDecision.Outcome, String?)] {
                let session = try await installation.install(app)
                let stored = try #require(try await installation.storage.read { try $0.session(session.id) })
                #expect(stored.explanation.outcome == outcome)
                #expect(stored.explanation.ruleVersion == AttributionRules.standard.version)
                #expect(stored.explanation.matcher == matcher)
                // The stored evidence gives the same decision.
                let again = AttributionPolicy.decide(try #require(stored.evidence))
                #expect(StoredDecision(again) == stored.explanation)
                #expect(stored.data == session.data)
            }
        }
    }
}

extension SessionServiceTests {
    private static let largeData: JSONObject = ["text": .string(String(repeating: "x", count: 60_000)), "variety": "Cox"]

    @Test func theDataOfALargeLinkArrivesOnce() async throws {
        try await Installation.run { installation in
            let app = try await installation.appWithClick(NewLink(data: Self.largeData))
            let first = try await installation.install(app)
            #expect(first.data["text"] == Self.largeData["text"])
            #expect(first.data["+clicked_branch_link"] == true)
            let second = try await installation.install(app)
            #expect(second.data["+clicked_branch_link"] == false)
        }
    }

    /// A reader decides, so that other writers do not wait for it. If the transaction finds the click taken, it is decided again.
    @Test func aClickThatIsTakenAfterTheDecisionIsTheOthers() async throws {
        try await Installation.run { installation in
            let app = try await installation.appWithClick(NewLink(data: ["variety": "Cox"]))
            let services = installation.services
            let storage = HookedStorage(installation.storage) { write in
                guard write == 0 else { return }
                let other = try await installation.install(app)
                #expect(other.data["variety"] == "Cox")
            }
            let sessions = SessionService(
                storage: storage.domain,
                links: LinkDirectory(
                    storage: storage.domain, apps: services.directory, baseURL: services.baseURL, publicIDs: services.publicIDs),
                baseURL: services.baseURL, publicIDs: services.publicIDs, country: { _ in nil }, addressClass: { _ in .plain },
                addresses: services.addresses, exchangesAdToken: { _ in false }, rules: .standard, clock: installation.clock.clock)
            let session = try await sessions.start(
                SessionStart(
                    app: app, caller: .newInstallation, description: DeviceDescription(os: "iOS", osVersion: "17.5.1"),
                    address: ClientAddress("2001:db8:7::1")!))
            #expect(session.data["+clicked_branch_link"] == false)
            #expect(try await services.explanations.list(of: app.scope, limit: 10).sessions.count == 2)
        }
    }

    @Test func whatIsStoredOfASessionIsKnownToTheLast() async throws {
        try await Installation.run { installation in
            let app = try await installation.appWithClick()
            let session = try await installation.install(app)
            let stored = try await installation.storage.write { transaction in
                try (transaction as! SQLTransaction).connection.query(
                    "SELECT 2 * LENGTH(data) + LENGTH(explanation) + LENGTH(evidence) FROM sessions"
                ) { $0.integer(0) }
            }
            #expect(stored == [Int64(session.storedBytes)])
        }
    }
}

extension Installation {
    /// An app with a link that was just clicked on an iPhone.
    fileprivate func appWithClick(_ link: NewLink = NewLink(), query: String? = nil) async throws -> AppContext {
        let app = try await services.directory.app(branchKey: createApp().live.key.branchKey)
        let created = try await services.links.create(link, for: app)
        let visit = Visit(
            host: "go.example.com", path: "/" + created.address.path, query: query, userAgent: UserAgents.iPhone,
            address: ClientAddress("2001:db8:7::1")!)
        _ = try await services.clicks.visit(visit)
        return app
    }

    fileprivate func install(
        _ app: AppContext, os: String = "iOS", version: String = "17.5.1", address: String = "2001:db8:7::1",
        installedAgo: Duration? = nil
    ) async throws -> StartedSession {
        try await services.sessions.start(
            SessionStart(
                app: app, caller: .newInstallation, description: DeviceDescription(os: os, osVersion: version),
                address: ClientAddress(address)!, installedAgo: installedAgo))
    }

    /// The row counts of all tables that could contain personal data.
    fileprivate func rows() async throws -> [Int64] {
        try await storage.write { transaction in
            let connection = (transaction as! SQLTransaction).connection
            return try connection.query(
                """
                SELECT COUNT(*) FROM clicks UNION ALL SELECT COUNT(*) FROM pending_clicks UNION ALL SELECT COUNT(*) FROM devices
                UNION ALL SELECT COUNT(*) FROM identities UNION ALL SELECT COUNT(*) FROM sessions UNION ALL SELECT COUNT(*) FROM strings
                """
            ) { $0.integer(0) }
        }
    }
}
