import RoutePatterns
import Testing

@Suite struct RootsFiltersTests {
    @Test func theFirstRegisteredOfSeveralDecidesAndAReplacedOneKeepsItsPlace() throws {
        var filters = RootsFilters()
        filters.register(try RootsFilter(key: .iOSURL, format: "app://{a}", target: "First"))
        filters.register(try RootsFilter(key: .iOSURL, format: "app://*", target: "Second"))
        filters.register(try RootsFilter(key: .iOSURL, format: "app://{a}", target: "Third"))
        #expect(filters.match("app://x")?.filter.target == "Third")
        #expect(filters.filters.count == 2)
    }

    @Test func theSameFormatForAnotherKeyIsAnotherFilter() throws {
        var filters = RootsFilters()
        filters.register(try RootsFilter(key: .webURL, format: "*/{id}", target: "Weak"))
        filters.register(try RootsFilter(key: .iOSURL, format: "*/{id}", target: "Strong"))
        #expect(filters.match("https://s.com/5")?.filter.target == "Strong")
    }

    @Test func nothingIsFoundInAURLThatIsTooLong() throws {
        var filters = RootsFilters()
        filters.register(try RootsFilter(key: .iOSURL, format: "*", target: "A"))
        #expect(filters.match("app://" + String(repeating: "a", count: 8_200)) == nil)
    }
}

@Suite struct RootsAndroidLaunchTests {
    private static let launch =
        "MyScheme://p/User/5?appconn_launch_key=True&appconn_fallback_url=https%3A%2F%2Fs.com%2FUser%2F7%3Fq%3D1"

    private func match(_ key: AppLinkKey, _ format: String) throws -> [String: String]? {
        var filters = RootsFilters()
        filters.register(try RootsFilter(key: key, format: format, target: "A"))
        return filters.match(try #require(RootsAndroidLaunch(launchURI: Self.launch)))?.parameters
    }

    @Test func onlyAnAppThatRootsStartedIsRouted() {
        #expect(RootsAndroidLaunch(launchURI: "myscheme://p/user/5") == nil)
        #expect(RootsAndroidLaunch(launchURI: "myscheme://p?appconn_launch_key=true") == nil)
        #expect(RootsAndroidLaunch(launchURI: Self.launch)?.fallbackURL == "https://s.com/User/7?q=1")
    }

    @Test func anAndroidFormatIsComparedInLowerCaseFromEndToEnd() throws {
        #expect(try match(.androidURL, "myscheme://*/user/{id}") == ["id": "5"])
        #expect(try match(.androidURL, "MyScheme://*/User/{id}") == nil)
        #expect(try match(.androidURL, "user/{id}") == nil)
        #expect(try match(.iOSURL, "myscheme://*/user/{id}") == nil)
    }

    @Test func aWebFormatIsComparedWithTheFallbackAsWritten() throws {
        #expect(try match(.webURL, "https://s.com/User/{id}") == ["id": "7"])
        #expect(try match(.webURL, "https://s.com/user/{id}") == nil)
    }
}
