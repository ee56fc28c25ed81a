import Linden
import Testing

@testable import Dashboard

@Suite struct PagePathTests {
    @Test(arguments: ["/dashboard", "/dashboard?x=1", "/dashboard/apps/1/links?search=a%20b&sort=oldest", "/dashboard/apps/1.test"])
    func aSignInLeadsBackToAnOwnPage(path: String) {
        #expect(PagePath.returning(to: path) == path)
    }

    @Test(arguments: [
        "", "/", "/x", "dashboard", "https://evil.example/dashboard", "//evil.example/dashboard", "/\\evil.example",
        "/dashboard\\x",
        "/dashboardx", "/dashboard/..//evil.example", "/dashboard//evil.example", "/dashboard/\u{0}",
        "/dashboard/\r\nSet-Cookie:x=1",
        "/dashboard/\u{e9}", "/dashboard/ x", "javascript:alert(1)", "/dashboard/" + String(repeating: "a", count: 1024),
    ])
    func aSignInLeadsNowhereElse(path: String) {
        #expect(PagePath.returning(to: path) == nil)
    }

    @Test func theSidesOfAnAppHaveAddressesOfTheirOwn() throws {
        let (live, test) = (try #require(PagePath.scope("12")), try #require(PagePath.scope("12.test")))
        #expect(live != test && live.app == test.app)
        #expect(PagePath.app(live) == "/dashboard/apps/12")
        #expect(PagePath.app(test) == "/dashboard/apps/12.test")
        for text in ["", "0", "-1", "12.live", "x", "12.test.test", ".test", "99999999999999999999"] {
            #expect(PagePath.scope(text) == nil)
        }
    }

    @Test func aQueryIsEncoded() {
        #expect(PagePath.query("/p", [("a", "x y&z"), ("b", ""), ("c", "é<")]) == "/p?a=x%20y%26z&c=%C3%A9%3C")
        #expect(PagePath.query("/p", [("a", "")]) == "/p")
    }
}
