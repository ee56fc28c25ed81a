import Linden
import LindenKernel
import Pages
import Testing

/// Pages that many visitors see, which are rendered once.
@Suite struct CommonPagesTests {
    @Test func theWelcomePageIsInTheVisitorsLanguageEachTime() {
        let german = PageLanguage.preferred(by: "de")
        for _ in 0..<2 {
            #expect(Page.welcome(in: .english).html.contains("<html lang=\"en\">"))
            #expect(Page.welcome(in: german).html.contains("<html lang=\"de\">"))
        }
    }

    @Test func aMissingLinkOfEachAppHasThatAppsBrand() {
        let (pear, plum) = (brand("Pear", "#112233"), brand("Plum", "#445566"))
        for _ in 0..<2 {
            #expect(Page.notFound(pear, in: .english).html.contains("Pear"))
            #expect(Page.notFound(plum, in: .english).html.contains("Plum"))
            #expect(!Page.notFound(in: .english).html.contains("Pear"))
        }
    }

    @Test func aMessageInANewColourIsRenderedAgain() {
        #expect(Page.expired(brand("Pear", "#112233"), in: .english).html.contains("#112233"))
        #expect(Page.expired(brand("Pear", "#445566"), in: .english).html.contains("#445566"))
    }

    private func brand(_ name: String, _ color: String) -> AppBrand {
        AppBrand(
            App(
                id: App.ID(rawValue: 1), name: name, configuration: AppConfiguration(["pages.color": .string(color)]),
                createdAt: Timestamp(milliseconds: 0)))
    }
}
