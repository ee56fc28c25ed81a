import LinkRouting
import Testing

/// Names that a client chooses, which are compared with known ones only if they are ASCII.
@Suite struct KnownNamesTests {
    @Test(arguments: [("", true), ("$ios_url", true), ("~channel\u{301}", false), ("caf\u{E9}", false), ("\u{212A}", false)])
    func onlyASCIINamesMayBeKnown(name: String, mayBeKnown: Bool) {
        #expect((name.ifASCII != nil) == mayBeKnown)
    }

    @Test func appendedNamesThatAreNotASCIISetNoControlParameters() {
        let stored = ControlParameters(["$ios_url": "https://example.com/a", "~channel": "mail"])
        let appended = ["$ios_url\u{301}", "$ios_u\u{301}rl", "~channel\u{301}", "channel\u{301}"].map {
            QueryItem(name: $0, value: "https://example.com/b")
        }
        #expect(stored.overridden(by: appended) == stored)
        let known = QueryItem(name: "channel", value: "sms")
        #expect(stored.overridden(by: appended + [known])["~channel"] == "sms")
    }
}
