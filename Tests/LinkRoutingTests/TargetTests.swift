import LinkRouting
import Testing

@Suite struct TargetTests {
    @Test(arguments: [
        ("open", "orchard://open?link_click_id=7"), ("a?b=c", "orchard://a?b=c&link_click_id=7"),
        ("a#top", "orchard://a?link_click_id=7#top"), ("a b\"<", "orchard://a%20b%22%3C?link_click_id=7"),
    ])
    func anAppLinkCarriesTheClick(path: String, uri: String) {
        #expect(AppLink(scheme: "orchard", path: path).uri(clickID: "7") == uri)
    }

    @Test(arguments: [
        (Target.unchanged("https://o.example"), "https://o.example"),
        (.web("https://o.example"), "https://o.example?_branch_match_id=7"),
        (.web("https://o.example/?a=b#c"), "https://o.example/?a=b&_branch_match_id=7#c"),
        (
            .playStore("https://play.google.com/store/apps/details?id=o"),
            "https://play.google.com/store/apps/details?id=o&referrer=link_click_id%3D7"
        ),
        (
            .playStore("https://play.google.com/store/apps/details?id=o#a#b"),
            "https://play.google.com/store/apps/details?id=o&referrer=link_click_id%3D7#a#b"
        ),
        (.unchanged("https://o.example/#a?b=#"), "https://o.example/#a?b=#"),
    ])
    func aTargetCarriesTheClickWhereItIsRead(target: Target, url: String) {
        #expect(target.url(clickID: "7") == url)
        let rendered = ClickURL(target)
        #expect(rendered.text(clickID: "7") == url)
        #expect(rendered.isVisible)
    }

    @Test func aURLWithABlankIsNotVisible() {
        #expect(!ClickURL(.unchanged("https://o.example/a b")).isVisible)
        #expect(!ClickURL(.unchanged("https://o.example/ü")).isVisible)
    }
}
