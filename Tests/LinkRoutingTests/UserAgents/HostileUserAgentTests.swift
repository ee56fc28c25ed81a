import LinkRouting
import Testing

/// A user agent is what a stranger wrote. Whatever it is, it is read quickly, and to the same end.
@Suite struct HostileUserAgentTests {
    private static let megabyte = 1 << 20
    private static let iPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1"

    /// The limit is no figure of speed: a reader that went over a megabyte again and again would take hours.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "(", ")", "()", ";", "a ", "a-", "_", "/", "(;", "[FBAN/", "Android ", "OS 18_7 ", "\u{0}", "\u{301}", "👩‍👩‍👧‍👦", "İ",
        ])
    func aMegabyteIsReadInAMoment(of part: String) {
        let agent = String(repeating: part, count: Self.megabyte / part.utf8.count)
        _ = Visitor(userAgent: agent)
        #expect(Visitor(userAgent: Self.iPhone + agent).platform == .iOS)
        #expect(Visitor(userAgent: "Mozilla/5.0 (Linux; Android 14; " + agent).platform == .android)
    }

    @Test func whatFollowsALongUserAgentChangesNothing() {
        let junk = String(repeating: " x", count: Self.megabyte)
        #expect(Visitor(userAgent: Self.iPhone + junk + " Googlebot/2.1") == Visitor(userAgent: Self.iPhone))
    }

    @Test func bytesThatAreNoTextAreReadOver() {
        for bytes: [UInt8] in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF0, 0x9F], [0]] {
            let junk = String(decoding: bytes, as: UTF8.self)
            #expect(Visitor(userAgent: Self.iPhone + junk) == Visitor(userAgent: Self.iPhone))
            #expect(Visitor(userAgent: junk + Self.iPhone) == Visitor(userAgent: Self.iPhone))
            #expect(Visitor(userAgent: junk).robot == .unnamed)
        }
    }

    /// The cut may fall into the middle of a letter.
    @Test func anyCutIsSafe() {
        for length in 2_030...2_060 {
            let agent = String(repeating: "x", count: length) + "é👩‍👩‍👧‍👦( é"
            #expect(Visitor(userAgent: agent).robot == .unnamed)
        }
    }

    /// The sign of the Kelvin becomes an ASCII `k` when lowered, the dotted İ two letters.
    @Test func foreignLettersMakeNoNames() {
        #expect(Visitor(userAgent: "Mozilla/5.0 (X11) Slac\u{212A}/4.39").inAppBrowser == nil)
        #expect(Visitor(userAgent: "TW\u{130}TTERBOT").robot == .crawler)
        #expect(Visitor(userAgent: "Mozilla/5.0 (Linux; Android 14; ⅫK; wv)").model == "ⅫK")
    }

    @Test(arguments: [
        "(", "((((", "Android", "Android ", "Android .", "Android _", "iPhone OS ", "CPU iPhone OS _",
        "(iPhone; CPU iPhone OS 99999999999999999999_1",
        "Mozilla/5.0 (Linux; Android 14; Build/", "[FBAN/FBIOS;FBDV/;FBSV/]", "Instagram 1 Android (/; ; ; ; )", "Instagram 1 (",
        "Version/",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_9999999999999999999999 like Mac OS X)", "Telegram-Android/1 ( ; Android 1)", "V2",
        "- -- _ __", "Mozilla (Android 1; x) Instagram 1 Android (33/13; ; ; ; )", "Mozilla (Android) Snapchat/1 ( ; Android 1)",
        "Mozilla (Android) Telegram-Android/1 (Samsung ; Android 1)", "Mozilla (Android 1; Build/)",
        "Mozilla (Android 1; SAMSUNG )",
    ])
    func halfASentenceIsNoDisaster(agent: String) {
        let visitor = Visitor(userAgent: agent)
        #expect(visitor.osVersion?.isEmpty != true)
        #expect(visitor.model?.isEmpty != true)
        #expect(visitor == Visitor(userAgent: agent))
    }
}
