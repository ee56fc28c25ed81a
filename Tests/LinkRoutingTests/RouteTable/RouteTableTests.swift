import LinkRouting
import Testing

@Suite struct RouteTableTests {
    private static let list = Route(id: "1", syntax: .waapp, pattern: "list/:id", target: "Detail", defaults: ["tab": .integer(1)])
    private static let strong = Route(id: "2", syntax: .roots, key: .iOSURL, pattern: "app://*/{id}", target: "Strong")
    private static let android = Route(id: "3", syntax: .roots, key: .androidURL, pattern: "app://*/{id}", target: "Android")
    private static let weak = Route(id: "4", syntax: .roots, key: .webURL, pattern: "*/{id}", target: "Weak")

    @Test func theFirstRouteDecidesAndBringsItsParameters() throws {
        let match = try #require(try RouteTable([Self.list, Self.strong]).match("app://list/a%20b?tab=2"))
        #expect(match.route.id == "1")
        #expect(match.parameters == ["id": "a b"])
        #expect(match.merged == ["id": .text("a b"), "tab": .text("2")])
    }

    @Test(arguments: [(Platform.iOS, "2"), (.android, "3"), (.desktop, "4")])
    func aWeakRouteIsAskedLastAndAPhonesOwnOnItsPhone(platform: Platform, id: String) throws {
        let table = try RouteTable([Self.weak, Self.strong, Self.android])
        #expect(table.match("app://u/5", on: platform)?.route.id == id)
    }

    @Test func aRouteSwitchedOffMatchesNothingAndKeepsItsPath() throws {
        var list = Self.list
        list.isEnabled = false
        var table = try RouteTable([list, Self.strong])
        #expect(table.match("app://list/3")?.route.id == "2")
        var again = Self.list
        again.id = "9"
        let error = #expect(throws: RouteSyntaxError.self) { try table.add(again) }
        #expect(error?.message == "'list/:id' is registered already; each path may be registered once")
        try table.replace(Self.list)
        #expect(table.match("app://list/3")?.route.id == "1")
        let removed = [table.remove(id: "1"), table.remove(id: "1")]
        #expect(removed == [true, false])
        try table.add(again)
        #expect(table.routes.map(\.id) == ["2", "9"])
    }

    @Test(arguments: [
        (Route(id: "", syntax: .waapp, pattern: "a", target: "A"), RouteSyntaxError.Code.empty),
        (Route(id: "9", syntax: .waapp, pattern: "a", target: ""), .empty),
        (Route(id: "9", syntax: .waapp, key: .iOSURL, pattern: "a", target: "A"), .unknownKey),
        (Route(id: "9", syntax: .waapp, pattern: "a//b", target: "A"), .emptyComponent),
        (Route(id: "9", syntax: .waapp, pattern: "a{A", target: "A"), .unbalancedBraces),
        (Route(id: "9", syntax: .roots, pattern: "a", target: "A"), .unknownKey),
        (Route(id: "9", syntax: .roots, key: "al:windows:url", pattern: "a", target: "A"), .unknownKey),
        (Route(id: "9", syntax: .roots, key: .iOSURL, pattern: "{a", target: "A"), .unbalancedBraces),
        (Route(id: "9", syntax: .roots, key: .iOSURL, pattern: "app://*/{id}", target: "A"), .duplicatePath),
        (Route(id: "2", syntax: .roots, key: .iOSURL, pattern: "b", target: "A"), .duplicateID),
    ])
    func aRouteThatCouldNotMatchIsRefusedAndTheTableStaysAsItWas(route: Route, code: RouteSyntaxError.Code) throws {
        var table = try RouteTable([Self.list, Self.strong])
        let before = table
        let error = #expect(throws: RouteSyntaxError.self) { try table.add(route) }
        #expect(error?.code == code)
        #expect(table == before)
    }

    @Test func aRegistrationStringBecomesRoutes() throws {
        let routes = try Route.routes(registering: "list{List}/middle/:id{Detail}!", id: "r")
        #expect(routes.map(\.id) == ["r-1", "r-2"])
        #expect(routes.map(\.pattern) == ["list", "list/middle/:id"])
        #expect(routes.map(\.isModal) == [false, true])
    }

    @Test func aPathThatAnAppWasGivenIsRoutedOnAndroid() throws {
        let table = try RouteTable([Self.android, Self.weak])
        let launch = "app://u/5?appconn_launch_key=True&appconn_fallback_url=https%3A%2F%2Fs.com%2F7"
        #expect(table.match(launch, on: .android)?.parameters == ["id": "5"])
        #expect(table.match("app://u/5", on: .android)?.parameters == ["id": "5"])
    }
}
