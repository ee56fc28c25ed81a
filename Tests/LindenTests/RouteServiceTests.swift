import Linden
import LindenKernel
import LindenServices
import LindenTesting
import RoutePatterns
import SQLiteStorage
import Testing

@Suite struct RouteServiceTests {
    private static let user = Route(id: "user", syntax: .waapp, pattern: "user/:id", target: "Profile")

    @Test func aRouteIsKeptWithAllItSays() async throws {
        try await Installation.run { installation in
            let app = try await installation.createApp().app.id
            let routes = [
                Route(
                    id: "u", syntax: .waapp, pattern: "user/:id", target: "Profile", isModal: true, isEnabled: false,
                    defaults: ["tab": .text("posts"), "page": .integer(1), "zoom": .decimal(1.5)]),
                Route(id: "k", syntax: .roots, key: .androidURL, pattern: "orchard://*/kind/{name}", target: "Kind"),
            ]
            _ = try await installation.services.routes.add(routes, to: app)
            let stored = try await installation.services.routes.list(app)
            #expect(stored == routes)
        }
    }

    @Test func linksWithoutARouteAreLoggedOnceAMinute() {
        let (log, clock) = (LogRecorder(), TestClock())
        let monitor = UnroutedLinkMonitor(clock: clock.clock, logger: log.logger)
        for _ in 1...100 {
            monitor.record(App.ID(rawValue: 7))
            monitor.report()
        }
        #expect(log.messages.count == 1)
        clock.advance(by: .seconds(60))
        monitor.report()
        monitor.report()
        #expect(log.messages.count == 2)
        #expect(log.messages.last?.contains("99") == true)
    }

    @Test func theFirstRegisteredDecidesAlsoAfterOthersCameAndWent() async throws {
        try await Installation.run { installation in
            let app = try await installation.createApp().app.id
            let service = installation.services.routes
            func target() async throws -> String? {
                try await installation.services.apps.context(app.description).routes.match("orchard://user/5")?.route.target
            }
            for pattern in ["user/*", "user/:id", ":kind/:id"] {
                _ = try await service.add([Route(id: "", syntax: .waapp, pattern: pattern, target: pattern)], to: app)
            }
            #expect(try await target() == "user/*")
            try await service.set("1", of: app, isEnabled: false)
            #expect(try await target() == "user/:id")
            try await service.remove("2", from: app)
            #expect(try await target() == ":kind/:id")
            // A route that is added again is the last.
            _ = try await service.add([Route(id: "", syntax: .waapp, pattern: "user/:id", target: "again")], to: app)
            #expect(try await target() == ":kind/:id")
            try await service.set("1", of: app, isEnabled: true)
            #expect(try await target() == "user/*")
        }
    }

    @Test(arguments: [
        (Route(id: "user", syntax: .waapp, pattern: "other/:id", target: "T"), Failure.Code.conflict, "'user'"),
        (Route(id: "new", syntax: .waapp, pattern: "user/:id", target: "T"), .conflict, "user/:id"),
        (Route(id: "new", syntax: .waapp, pattern: "a//b", target: "T"), .invalid, "single slashes"),
        (Route(id: "new", syntax: .roots, pattern: "a/{b}", target: "T"), .invalid, "al:ios:url"),
        (Route(id: "new", syntax: .waapp, pattern: "a", target: ""), .invalid, "target"),
        (Route(id: "new\n", syntax: .waapp, pattern: "a", target: "T"), .invalid, "id"),
        (Route(id: "new", syntax: .waapp, pattern: "a", target: String(repeating: "x", count: 256)), .invalid, "255"),
    ])
    func aRouteThatIsRefusedKeepsTheOthersThatCameWithItOut(route: Route, code: Failure.Code, word: String) async throws {
        try await Installation.run { installation in
            let app = try await installation.createApp().app.id
            let service = installation.services.routes
            var off = Self.user
            off.isEnabled = false
            _ = try await service.add([off], to: app)
            let good = Route(id: "good", syntax: .waapp, pattern: "good", target: "Good")

            let failure = await #expect(throws: Failure.self) { try await service.add([good, route], to: app) }

            #expect(failure?.code == code)
            #expect(failure?.message.contains(word) == true)
            let stored = try await service.list(app)
            #expect(stored == [off])
        }
    }

    @Test func eachAppHasRoutesOfItsOwnForBothItsSides() async throws {
        try await Installation.run { installation in
            let service = installation.services.routes
            let (mine, theirs) = (try await installation.createApp("Mine"), try await installation.createApp("Theirs"))
            for app in [mine, theirs] { _ = try await service.add([Self.user], to: app.app.id) }
            try await service.remove("user", from: theirs.app.id)
            let failure = await #expect(throws: Failure.self) { try await service.remove("user", from: theirs.app.id) }
            #expect(failure?.code == .notFound)
            for (app, count) in [(mine, 1), (theirs, 0)] {
                for key in [app.live.key, app.test.key] {
                    let context = try await installation.services.directory.app(branchKey: key.branchKey)
                    #expect(context.routes.routes.count == count)
                }
            }
        }
    }

    @Test func anAppMayHaveFiveHundredRoutes() async throws {
        try await Installation.run { installation in
            let app = try await installation.createApp().app.id
            let many = (1...500).map { Route(id: "", syntax: .waapp, pattern: "page/\($0)", target: "Page") }
            _ = try await installation.services.routes.add(many, to: app)
            let failure = await #expect(throws: Failure.self) {
                try await installation.services.routes.add([Self.user], to: app)
            }
            #expect(failure?.message.contains("500") == true)
        }
    }

    @Test func theDefaultsOfARouteAndOfAllAreBounded() async throws {
        try await Installation.run { installation in
            let (service, app) = (installation.services.routes, try await installation.createApp().app.id)
            func route(_ number: Int, _ values: Int) -> Route {
                let defaults = Dictionary(uniqueKeysWithValues: (0..<values).map { ("\($0)", RouteValue.text("")) })
                return Route(id: "", syntax: .waapp, pattern: "page/\(number)", target: "Page", defaults: defaults)
            }
            let failure = await #expect(throws: Failure.self) { try await service.add([route(0, 60)], to: app) }
            #expect(failure?.message.contains("at most 2048 bytes") == true && failure?.code == .invalid)
            _ = try await service.add((1...32).map { route($0, 50) }, to: app)
            let tooMany = await #expect(throws: Failure.self) { try await service.add([route(33, 50)], to: app) }
            #expect(tooMany?.message.contains("at most 65536 bytes in all") == true)
            #expect(try await service.add([route(33, 0)], to: app).count == 1)
        }
    }

    @Test func aRegistrationStringNamesItsRoutesByNumberOrById() async throws {
        try await Installation.run { installation in
            let app = try await installation.createApp().app.id
            _ = try await installation.services.routes.add([Self.user], to: app)
            _ = try await installation.services.routes.add(
                try Route.registered(by: "list{List}/middle/:id{Detail}!", id: nil), to: app)
            _ = try await installation.services.routes.add(try Route.registered(by: "shop{Shop}/", id: "s"), to: app)
            let routes = try await installation.services.routes.list(app)
            #expect(routes.map(\.id) == ["user", "2", "3", "s-1"])
            #expect(routes.map(\.pattern) == ["user/:id", "list", "list/middle/:id", "shop"])
            #expect(routes.map(\.isModal) == [false, false, true, false])
        }
    }

    @Test(arguments: [
        ("list/:id", "names no class"), ("/list{L}", "empty component"), ("a{A}//b{B}", "empty component"), ("a{A", "braces"),
    ])
    func aRegistrationStringThatRegistersLessThanItSeemsToIsRefused(text: String, word: String) throws {
        let failure = #expect(throws: Failure.self) { try Route.registered(by: text, id: nil) }
        #expect(failure?.message.contains(word) == true)
    }

    @Test func aStoredRouteThatNoProgramReadsTodayLeavesTheOthersInForce() async throws {
        try await Installation.run { installation in
            let app = try await installation.createApp().app.id
            let broken = Route(id: "broken", syntax: .waapp, pattern: "a//b", target: "T")
            _ = try await installation.storage.write { try $0.insert([broken], of: app, before: nil, at: $0.now) }
            _ = try await installation.services.routes.add([Self.user], to: app)
            let context = try await installation.services.apps.context(app.description)
            #expect(context.routes.routes == [Self.user])
            let listed = try await installation.services.routes.list(app)
            #expect(listed.map(\.id) == ["broken", "user"])
        }
    }

    /// Stored patterns are parsed only when they are needed, once, and not on the database's reader threads.
    @Test(.timeLimit(.minutes(1)))
    func routesAreReadOnceAndNotByTheDatabasesReaders() async throws {
        try await Installation.run { installation in
            let app = try await installation.createApp()
            // Inserted directly, as versions without a limit stored them.
            let heavy = (1...500).map { number in
                Route(
                    id: "\(number)", syntax: .roots, key: .iOSURL,
                    pattern: "orchard://\(number)/" + String(repeating: "{a}/x", count: 190), target: "T")
            }
            _ = try await installation.storage.write { try $0.insert(heavy, of: app.app.id, before: nil, at: $0.now) }
            let clock = ContinuousClock()
            let began = clock.now
            try await withThrowingTaskGroup { group in
                for _ in 0..<16 {
                    group.addTask { try await installation.services.directory.app(branchKey: app.live.key.branchKey) }
                }
                try await group.waitForAll()
            }
            // Parsing them sixteen times would take minutes.
            #expect(clock.now - began < .seconds(20))

            let live = try await installation.services.directory.app(branchKey: app.live.key.branchKey)
            let test = try await installation.services.directory.app(branchKey: app.test.key.branchKey)
            #expect(live.storedRoutes === test.storedRoutes)
            // Routes beyond a table's limit are left out.
            #expect((1..<500).contains(live.routes.routes.count))
        }
    }

    @Test func aRouteThatWasWrittenUnderOtherRulesStaysInForce() async throws {
        try await Installation.run { installation in
            let app = try await installation.createApp().app.id
            let twice = Route(id: "twice", syntax: .waapp, pattern: "user/:x/:x", target: "T")
            _ = try await installation.storage.write { try $0.insert([twice], of: app, before: nil, at: $0.now) }
            let context = try await installation.services.apps.context(app.description)
            #expect(context.routes.match("orchard://user/1/2")?.parameters == ["x": "2"])
        }
    }

    /// Each insertion moves half of the routes, and positions stay small numbers.
    @Test func routesAreKeptInTheOrderTheyArePutIn() async throws {
        try await Installation.run { installation in
            let app = try await installation.createApp().app.id
            let service = installation.services.routes
            var expected: [String] = []
            for number in 0..<80 {
                let before = expected.isEmpty || number.isMultiple(of: 7) ? nil : expected[expected.count / 2]
                let routes = try Route.registered(by: "a\(number){A}/b{B}", id: "r\(number)")
                let added = try await service.add(routes, to: app, before: before).map(\.id)
                expected.insert(contentsOf: added, at: before == nil ? expected.count : expected.count / 2)
            }
            let stored = try await service.list(app).map(\.id)
            #expect(stored == expected)
            let failure = await #expect(throws: Failure.self) {
                try await service.add([Self.user], to: app, before: "none")
            }
            #expect(failure?.code == .notFound)
        }
    }

    @Test func aRegistrationStringMayRepeatWhatIsThere() async throws {
        try await Installation.run { installation in
            let app = try await installation.createApp().app.id
            let service = installation.services.routes
            func register(_ registration: String) async throws -> [String] {
                try await service.add(Route.registered(by: registration, id: nil), to: app, ignoringRepeats: true).map(\.pattern)
            }
            #expect(try await register("list{List}/:itemID{Detail}") == ["list", "list/:itemID"])
            #expect(try await register("list{List}/new{New}") == ["list/new"])
            #expect(try await register("list{List}/new{New}") == [])
            for other in ["list{Other}/more{More}", "list{List}!/more{More}"] {
                let failure = await #expect(throws: Failure.self) { try await register(other) }
                #expect(failure?.code == .conflict)
            }
            let stored = try await service.list(app)
            #expect(stored.count == 3)
        }
    }
}
