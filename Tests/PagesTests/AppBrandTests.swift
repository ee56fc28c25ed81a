import Foundation
import Linden
import LindenKernel
import Testing

@testable import Pages

@Suite struct AppBrandTests {
    private static let cards = (light: RGBColor("#fff")!, dark: RGBColor("#19201c")!)

    /// Whatever colour an app has, what is written in it or on it can be read (WCAG 2.2, 1.4.3).
    @Test(arguments: ["#000", "#fff", "#ffd400", "#256a45", "#ff0000", "#00f", "#767676", "#808080", "#19201c", "#FF69B4"])
    func textInAnAppsColourCanBeRead(color: String) throws {
        let style = try #require(brand(["pages.color": .string(color)]).style)
        let main = try style.color("--main", after: ":root{")
        #expect(main == RGBColor(color))
        #expect(try style.color("--on", after: ":root{").contrast(to: main) >= 4.5)
        #expect(try style.color("--link", after: ":root{").contrast(to: Self.cards.light) >= 4.5)
        #expect(try style.color("--link", after: "dark){:root{").contrast(to: Self.cards.dark) >= 4.5)
    }

    @Test func theCardsAreThoseOfTheStandardStyle() {
        #expect(PageModel.style.contains("--card:#fff;"))
        #expect(PageModel.style.contains("--card:\(Self.cards.dark);"))
    }

    @Test func aBackgroundIsForLightPagesAlone() {
        #expect(
            brand(["pages.background_color": "#FED"]).style == "@media (prefers-color-scheme:light){:root{--back:#ffeedd}}")
        #expect(brand([:]).style == nil)
    }

    /// Settings that were stored before they were checked.
    @Test(arguments: ["red", "#12345", "#ggg", "#fff;}body{display:none", "url(https://x.example)", "</style>", "#", ""])
    func whatIsNoColourIsPassedOver(color: String) {
        let brand = brand(["pages.color": .string(color), "pages.background_color": .string(color)])
        #expect(brand.style == nil)
        #expect(RGBColor(color) == nil)
    }

    @Test(arguments: ["javascript:alert(1)", "https://x.example;script-src *", "//x.example/icon.png", "data:image/png;base64,A"])
    func whatIsNoWebAddressIsNoIcon(url: String) {
        #expect(brand(["pages.icon_url": .string(url)]).icon == nil)
    }

    private func brand(_ settings: JSONObject) -> AppBrand {
        AppBrand(
            App(
                id: App.ID(rawValue: 1), name: "Orchard", configuration: AppConfiguration(settings),
                createdAt: Timestamp(milliseconds: 0)))
    }
}

extension String {
    /// The value of a custom property in the rule that begins so.
    fileprivate func color(_ name: String, after rule: String) throws -> RGBColor {
        let start = try #require(range(of: rule))
        let declaration = try #require(self[start.upperBound...].range(of: name + ":"))
        return try #require(RGBColor(String(self[declaration.upperBound...].prefix { $0 != ";" && $0 != "}" })))
    }
}
