import LinkRouting
import RoutePatterns
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
        (Route(id: "9", syntax: .waapp, pattern: "list/a\nb", target: "A"), .unsupportedCharacter),
        (Route(id: "9", syntax: .roots, key: .iOSURL, pattern: "app://a\u{9F}/{id}", target: "A"), .unsupportedCharacter),
        (Route(id: "9", syntax: .waapp, pattern: ":x/:x", target: "A"), .badName),
        (Route(id: "9", syntax: .roots, key: .iOSURL, pattern: "{x}/{x}", target: "A"), .badName),
        (Route(id: "9", syntax: .roots, key: .androidURL, pattern: "App://user/{id}", target: "A"), .unsupportedCharacter),
        (Route(id: "9", syntax: .roots, key: .androidURL, pattern: "app://É+/{id}", target: "A"), .unsupportedCharacter),
        (Route(id: "9", syntax: .waapp, pattern: String(repeating: "a", count: 513), target: "A"), .tooLong),
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

    /// Only what Android lower-cases in a URI can be missed by a capital letter in a format.
    @Test(arguments: [
        (AppLinkKey.androidURL, "app://user/{User_ID}", "app://user/5"), (.androidURL, "app://userS?/{id}", "app://user/5"),
        (.androidURL, "app://straße/{id}", "app://straße/5"), (.iOSURL, "App://User/{id}", "App://User/5"),
        (.webURL, "https://s.com/User/{id}", "https://s.com/User/5"),
    ])
    func aCapitalLetterThatCanMatchIsAllowed(key: AppLinkKey, pattern: String, url: String) throws {
        let table = try RouteTable([Route(id: "1", syntax: .roots, key: key, pattern: pattern, target: "A")])
        #expect(table.match(url, on: key == .androidURL ? .android : .iOS) != nil)
    }

    @Test func aTableHoldsSoMuchAndNoMore() throws {
        var table = RouteTable()
        let error = #expect(throws: RouteSyntaxError.self) {
            for number in 0..<100 {
                let pattern = "page\(number)/" + String(repeating: "a", count: 490)
                try table.add(Route(id: "\(number)", syntax: .waapp, pattern: pattern, target: "Page"))
            }
        }
        #expect(error?.code == .tooLong)
        #expect(error?.message.contains("16384 bytes") == true)
        #expect(table.routes.count == 32)
        // What goes makes room.
        table.remove(id: "0")
        try table.add(Route(id: "new", syntax: .waapp, pattern: String(repeating: "a", count: 490), target: "Page"))
    }

    @Test func aURLThatIsTooLongTakesNoRoute() throws {
        let table = try RouteTable([Self.list, Self.weak])
        #expect(table.match("app://list/" + String(repeating: "5", count: 2_037)) != nil)
        #expect(table.match("app://list/" + String(repeating: "5", count: 2_038)) == nil)
    }

    @Test func filtersForTheWebAloneSayNothingOfAScheme() throws {
        #expect(try !RouteTable([Self.weak]).concerns(.iOS))
        #expect(try RouteTable([Self.weak, Self.strong]).concerns(.iOS))
        #expect(try !RouteTable([Self.weak, Self.strong]).concerns(.android))
    }

    @Test func onAndroidAFilterForTheWebIsComparedWithAWebURLOnly() throws {
        let table = try RouteTable([Self.weak])
        #expect(table.match("app://u/5", on: .android) == nil)
        #expect(table.match("https://s.com/5", on: .android)?.parameters == ["id": "5"])
        #expect(table.match("app://u/5")?.parameters == ["id": "5"])
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["*/", "*?a", "a+"])
    func aFullTableOfHostileFormatsComesToAnEnd(piece: String) throws {
        var table = RouteTable()
        for number in 0..<32 {
            let pattern = "\(number)x" + String(repeating: piece, count: 490 / piece.utf8.count) + "b"
            try table.add(Route(id: "\(number)", syntax: .roots, key: .iOSURL, pattern: pattern, target: "A"))
        }
        #expect(table.match("app://" + String(repeating: "a/", count: 1_000) + "b") == nil)
    }
}
