import Foundation
import LindenTesting
import Testing

@testable import Linden
@testable import LindenKernel

/// Long links as each SDK builds them when the server is unreachable, and damaged as they may be on the way to the click.
@Suite struct LongLinkTests {
    private static let data = #"{"$deeplink_path":"pears/conference","jar":"a>>b??c","n":1}"#
    private static var standard: String { Data(data.utf8).base64EncodedString() }
    private static var urlSafe: String { standard.replacing("+", with: "-").replacing("/", with: "_") }
    private static var escaped: String {
        standard.replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
    }

    private static func inLines(_ end: String) -> String {
        stride(from: 0, to: standard.count, by: 76).map { start in
            standard.dropFirst(start).prefix(76).replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
                + end
        }.joined()
    }

    private static let labels = "tags=ripe&tags=green&channel=sms&feature=share&stage=new"

    private static let producers: [(name: String, query: String)] = [
        ("iOS, raw base64", "\(labels)&type=1&duration=60&source=ios&data=\(standard)"),
        ("iOS, escaped", "\(labels)&type=1&duration=60&source=ios&data=\(escaped)"),
        ("iOS getLongURL", "\(labels)&type=1&matchDuration=60&source=ios&data=\(standard)"),
        ("iOS, two question marks", "%24identity_id=1?\(labels)&type=1&duration=60&source=ios&data=\(standard)"),
        ("Android", "%24randomized_bundle_token=1&\(labels)&type=1&duration=60&source=android&data=\(escaped)"),
        ("plus became space", "\(labels)&type=1&duration=60&data=\(standard.replacing("+", with: "%20"))"),
        ("no padding", "\(labels)&type=1&duration=60&data=\(standard.replacing("=", with: ""))"),
        ("a newline at the end, as C++ adds", "\(labels)&type=1&duration=60&data=\(escaped)%0A"),
        ("in lines of 76, as Java breaks them", "\(labels)&type=1&duration=60&data=\(inLines("%0A"))"),
        ("in lines that end as in mails", "\(labels)&type=1&duration=60&data=\(inLines("%0D%0A"))"),
        ("encoded twice", "\(labels)&type=1&duration=60&data=\(escaped.replacing("%", with: "%25"))%250A"),
        ("URL-safe alphabet", "\(labels)&type=1&duration=60&data=\(urlSafe)"),
        ("by hand", "~tags=ripe&~tags=green&~channel=sms&~feature=share&~stage=new&type=1&duration=60&data=\(escaped)"),
        ("tags in brackets", "tags[]=ripe&tags[]=green&channel=sms&feature=share&stage=new&type=1&duration=60&data=\(escaped)"),
        ("empty pairs", "&&\(labels)&alias=&campaign=&type=1&duration=60&data=\(escaped)&"),
    ]

    @Test(arguments: producers)
    func everyProducersSpellingSaysTheSame(producer: (name: String, query: String)) throws {
        let link = LongLink(query: producer.query)
        #expect(link.labels == Labels(channel: "sms", feature: "share", stage: "new", tags: ["ripe", "green"]))
        #expect(link.data == (try JSON.parse(Self.data).object))
        #expect(link.kind == .oneTimeUse)
        #expect(link.duration == 60)
        #expect(link.alias == nil)
    }

    @Test func whatIsWrittenOutBeatsWhatIsPackedUp() {
        let link = LongLink(query: "data=\(Self.escaped)&n=2&%24deeplink_path=apples&custom=x")
        #expect(link.data["n"] == "2")
        #expect(link.data["$deeplink_path"] == "apples")
        #expect(link.data["custom"] == "x")
    }

    @Test(arguments: [
        "", "%%%", "bm90IGpzb24=", "WzEsMl0=", String(standard.dropLast(8)), "e30", String(repeating: "A", count: 5000),
    ])
    func brokenDataIsNoData(text: String) {
        let link = LongLink(query: "channel=sms&data=" + text)
        #expect(link.data == [:])
        #expect(link.labels.channel == "sms")
    }

    /// C++ 1.2.0 omits the last one or two bytes.
    @Test(
        arguments: [
            (#"{"jar":"a>>b??c","variety":"Plum""#, ["jar": "a>>b??c", "variety": "Plum"]), (#"{"on":true"#, ["on": true]),
            (#"{"list":[1,2]"#, ["list": [1, 2]]),
            // A number may have lost a digit together with the brace.
            (#"{"a":"b","n":4"#, ["a": "b"]), (#"{"n":4"#, [:]), (#"{"a":"b"#, [:]), (#"{"a":"#, [:]), (#"{"#, [:]), (#"[1"#, [:]),
        ] as [(String, JSONObject)])
    func dataThatLacksItsLastBraceIsSaved(text: String, data: JSONObject) {
        let packed = Data(text.utf8).base64EncodedString().replacing("=", with: "").replacing("+", with: "%2B")
        #expect(LongLink(query: "channel=sms&data=" + packed).data == data)
    }

    @Test func anAmpersandThatIOSLeavesUnescapedStaysInItsValue() {
        let link = LongLink(query: "channel=Apples&Pears&feature=a+b&source=ios&data=\(Self.standard)")
        #expect(link.labels.channel == "Apples&Pears")
        #expect(link.labels.feature == "a+b")
    }

    @Test func aSecondQuestionMarkInsideAValueIsKept() {
        let link = LongLink(query: "channel=sms&%24fallback_url=https://example.com/?page=2")
        #expect(link.data["$fallback_url"] == "https://example.com/?page=2")
    }

    @Test(arguments: [
        ("channel=a?tags=b", "a"), ("channel=a??tags=b", "a?"), ("channel=a?tag=b", "a?tag=b"), ("channel=a?", "a?"),
        ("channel=a?xtags=b", "a?xtags=b"), ("channel=a?matchDuration=5", "a"),
        ("channel=a?matchDurations=5", "a?matchDurations=5"),
    ])
    func aQuestionMarkBeginsASecondQueryBeforeWhatIOSAppendsAlone(query: String, channel: String) {
        #expect(LongLink(query: query).labels.channel == channel)
    }

    @Test func aLongLinkIsReadAsFarAsItIsKept() {
        #expect(LongLink(query: String(repeating: "tags=a&", count: 1000)).labels.tags.count == 64)
        let filler = "a=" + String(repeating: "?", count: 16_000)
        #expect(LongLink(query: filler + "&b=1").data["b"] == "1")
        #expect(LongLink(query: filler + filler + "&b=1").data["b"] == nil)
    }

    @Test(arguments: [
        ("/pear", "/pear", false), ("/e/pear", "/pear", true), ("//e//x//y/", "/x/y", true), ("/e", "/", true),
        ("/e/e/pear", "/e/pear", true),
        ("/pear//x/", "/pear//x/", false), ("", "", false), ("/a", "/a", false), ("//c", "//c", false), ("pear", "pear", false),
        ("/pear/", "/pear/", false),
    ])
    func theWebOnlyFormOfAPathIsTheSamePath(path: String, asked: String, isWebOnly: Bool) {
        let read = LinkPath(path, hasQuery: false)
        #expect(read.path == asked)
        #expect(read.isWebOnly == isWebOnly)
        #expect(read.target == .short)
    }

    @Test(arguments: ["/a/key", "//a//key//", "/e/a/key", "/e/a/key///"])
    func aLongLinkHasTheKeyAsItsSecondSegmentAndNoThird(path: String) {
        #expect(LinkPath(path, hasQuery: true).target == .long(branchKey: "key"))
        #expect(LinkPath(path + "/x", hasQuery: true).target == .short)
    }

    @Test func aTokenThatWasToBeTakenOutTakesNothingWithIt() {
        // The iOS SDK appends without an ampersand if tracking is disabled.
        let link = LongLink(query: "%24randomized_bundle_token=629651521996262337tags=a&tags=b&channel=sms&source=ios")
        #expect(link.labels == Labels(channel: "sms", tags: ["a", "b"]))
        #expect(link.ownerToken == nil)
    }

    @Test func aNameIsAKnownOneOnlyWithoutCombiningMarks() {
        let link = LongLink(query: "channel%CC%81=a&~tags%CC%81=b&data%CC%81=c&password%CC%81=d&channel=sms")
        #expect(link.labels == Labels(channel: "sms"))
        #expect(link.data == ["channel\u{301}": "a", "~tags\u{301}": "b", "data\u{301}": "c", "password\u{301}": "d"])
    }

    @Test func secretsAndTokensAreNoLinkData() {
        let link = LongLink(query: "password=x&auth=x&access_token=x&%24identity_id=123&%2Bclicked_branch_link=true&a=b")
        #expect(link.data == ["a": "b"])
        #expect(link.ownerToken == "123")
    }

    /// Events read a long link's windows without the rest of it.
    @Test(
        arguments: [
            "$click_install_window_days=7", "%24click_install_window_days=7&%24click_conversion_window_days=1.5",
            "%24%63lick_session_start_window_day%73=3&a=b", "$click_install_window_days=7&$click_install_window_days=8",
            "$click_install_window_days=7&$click_install_window_days=", "$click_install_window_days=7&x",
            "$click_install_window_days=&x",
            "a=1&7&$click_install_window_days=7", "$click_install_window_days=7&a=1&x", "click_install_window_days=7",
            "$Click_install_window_days=7",
            "a=b?data=\(windows)", "data=\(windows)", "%64at%61=\(windows)&$click_install_window_days=9",
            "data=\(windows)&data=e30=",
            "data=\(windows)&$click_install_window_days=x", "data=\(escapedWindows)", "data=\(windows.dropLast(4))",
            "data=\(standard)",
            "",
            "%24identity_id=1?data=\(windows)", "%24identity_id=1data=\(windows)&source=ios", "$click_install_window_days%CC%81=7",
            "$click_install_window_days=+7", "$click_install_window_days=+7&source=ios",
        ] as [String])
    func aClickStoresTheWindowsOfTheWholeLink(query: String) {
        let windows = LinkWindows(data: LongLink(query: query).data)
        #expect(LinkWindows(stored: windows.stored) == windows)
    }

    private static let windows = Data(#"{"$click_install_window_days":5,"a":"b","$click_conversion_window_days":"6"}"#.utf8)
        .base64EncodedString()
    private static let escapedWindows = Data(#"{"$click_install_window_\u0064ays":5}"#.utf8).base64EncodedString()
}
