import RoutePatterns
import Testing

@Suite struct WAAppRoutesTests {
    @Test func aModalIsTheTopOfItsStack() throws {
        var routes = WAAppRoutes()
        try routes.register("list{List}/modal{Modal}!")
        let match = try #require(routes.match("app://list/modal"))
        #expect(match.stack == ["List", "Modal"])
        #expect(match.isModal)
        #expect(match.isHandled)
    }

    @Test func aBlockAndAnEntityAreFoundEachForItself() throws {
        var routes = WAAppRoutes()
        try routes.register("list{List}/:id{Detail}")
        try routes.registerBlock("log", path: "list/*")
        let match = try #require(routes.match("app://list/3?x=1"))
        #expect(match.block == "log")
        #expect(match.entity?.targetClass == "Detail")
        #expect(match.parameters == ["id": "3"])
        #expect(match["x"] == "1")
        let block = try #require(routes.match("app://list/3/4"))
        #expect(block.path == "list/*")
        #expect(block.isHandled)
        #expect(block.stack.isEmpty)
    }

    @Test func anEntitySwitchedOffIsNotHandledThoughItsBlockRuns() throws {
        var routes = WAAppRoutes()
        try routes.register("list{List}")
        try routes.registerBlock("log", path: "*")
        let match = try #require(routes.match("app://list") { _ in false })
        #expect(match.block == "log")
        #expect(!match.isHandled)
        #expect(match.stack.isEmpty)
    }

    @Test func aPathIsRegisteredOnceAndARefusedStringRegistersNothing() throws {
        var routes = WAAppRoutes()
        try routes.register("list{List}")
        try routes.register("list{List}")
        #expect(throws: RouteSyntaxError.self) { try routes.register("other{Other}/x{X}/y{Y") }
        #expect(throws: RouteSyntaxError.self) { try routes.register("list{Another}") }
        #expect(throws: RouteSyntaxError.self) { try routes.registerBlock("log", path: "list") }
        #expect(routes.entities.map(\.path) == ["list"])
    }

    @Test(arguments: [
        "a{B", "aB}", "a}B{", "a{B}c", "a{{B}}", "a{B}{C}", "a{}", "{B}", "a{B}!!", ":{B}", "",
    ])
    func aRegistrationThatCannotBeMeantIsRefused(registration: String) {
        #expect(throws: RouteSyntaxError.self) { try WAAppEntity.entities(registering: registration) }
    }

    @Test func anExclamationMarkWithoutBracesIsText() throws {
        let entities = try WAAppEntity.entities(registering: "a!/b{B}")
        #expect(entities.map(\.path) == ["a!", "a!/b"])
        #expect(try WAAppEntity.entities(registering: "/a{A}").isEmpty)
    }

    @Test func classesThatLeadToEachOtherMakeAFiniteStack() throws {
        var routes = WAAppRoutes()
        try routes.register(WAAppEntity(path: "a", targetClass: "A", sourceClass: "B"))
        try routes.register(WAAppEntity(path: "b", targetClass: "B", sourceClass: "A"))
        #expect(routes.match("app://a")?.stack == ["B", "A"])
    }

    @Test func theStrongerSourceOfAParameterDecides() throws {
        var routes = WAAppRoutes()
        let defaults: [String: RouteValue] = ["a": .integer(1), "b": .integer(1), "c": .integer(1)]
        try routes.register(WAAppEntity(path: "list/:a", targetClass: "A", defaults: defaults))
        let match = try #require(routes.match("app://list/3?a=2&b=2"))
        #expect(match.merged == ["a": .text("3"), "b": .text("2"), "c": .integer(1)])
        #expect(match["c"] == nil)
    }
}
