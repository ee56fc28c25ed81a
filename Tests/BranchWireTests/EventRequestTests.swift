import BranchWire
import Linden
import LindenKernel
import LindenTesting
import Testing

/// What is read out of events, and what is said of those that are not as they should be.
@Suite struct EventRequestTests {
    private static let user: JSONObject = ["developer_identity": "ann"]

    private static func facts(_ fields: JSONObject, endpoint: String = "v2/event/standard") -> EventFacts {
        EventRequest(RequestFields(fields)).event(
            endpoint: endpoint, fallback: "unnamed", PublicIDs(key: InstallationKey(high: 1, low: 2))
        ).facts
    }

    private static func purchase(_ data: JSONObject) -> EventFacts {
        facts(["name": "PURCHASE", "user_data": .object(user), "event_data": .object(data)])
    }

    @Test(arguments: StandardEvent.allCases)
    func everyStandardNameHasItsKindAndIsNoProblem(standard: StandardEvent) {
        let facts = Self.facts([
            "name": .string(standard.rawValue), "user_data": .object(Self.user),
            "event_data": ["revenue": 1, "currency": "USD", "search_query": "pears"],
            "content_items": [["$canonical_identifier": "pear/1"]],
        ])
        #expect(facts.standard == standard)
        #expect(facts.kind == standard.kind && facts.kind != .custom)
        #expect(facts.problems == [])
    }

    private static let kinds: [(endpoint: String, name: String, kind: EventKind)] = [
        ("v2/event/custom", "tasted", .custom), ("v2/event/custom", "INVITE", .lifecycle),
        ("v2/event/standard", "VIEW_CONTENT", .content),
        ("v2/event/standard", "purchase", .custom), ("v1/event", "purchase", .commerce), ("v1/event", "View", .content),
        ("v1/event", "tasted", .custom), ("v1/pageview", "pageview", .pageView), ("v1/dismiss", "dismiss", .dismissal),
        ("v1/register-view", "register-view", .content), ("v1/content-events", "PURCHASE", .custom), ("c", "sms", .textMessage),
    ]

    @Test(arguments: kinds)
    func theKindOfAnEventFollowsFromItsCallAndName(endpoint: String, name: String, kind: EventKind) {
        #expect(Self.facts(["name": .string(name)], endpoint: endpoint).kind == kind)
    }

    /// The database compares identifiers by their bytes, and so does an event: Swift's strings are equal here.
    @Test func contentIsDistinguishedByTheBytesOfItsIdentifier() {
        let (composed, decomposed): (JSON, JSON) = ("caf\u{E9}", "cafe\u{301}")
        let items: JSON = [["$canonical_identifier": composed], ["$canonical_identifier": decomposed]]
        #expect(Self.facts(["name": "VIEW_ITEM", "user_data": .object(Self.user), "content_items": items]).content.count == 2)
        let listed: JSON = ["$canonical_identifier_list": [composed, decomposed]]
        #expect(Self.facts(["event": "View", "metadata": listed], endpoint: "v1/event").content.count == 2)
    }

    @Test func keysThatBeginAsLabelsAreNoContentWhateverMarksFollow() throws {
        let item: JSONObject = ["$canonical_identifier": "pear/1", "~\u{301}skin": 1, "+\u{301}skin": 1, "skin\u{301}": 1]
        let facts = Self.facts(["name": "VIEW_ITEM", "user_data": .object(Self.user), "content_items": [.object(item)]])
        let content = try #require(facts.content.first)
        #expect(content.object.data == ["$canonical_identifier": "pear/1", "skin\u{301}": 1])
    }

    private static let revenues: [(value: JSON, text: String?, millionths: Int64?, problem: EventProblem?)] = [
        (.decimal("12.70"), "12.70", 12_700_000, nil), (3, "3", 3_000_000, nil), ("4.5", "4.5", 4_500_000, nil),
        (-2, "-2", -2_000_000, nil), (nil, nil, nil, .revenueMissing), ("", nil, nil, .revenueMissing),
        ("12,70", "12,70", nil, .revenueMalformed), (true, "true", nil, .revenueMalformed), ([1], nil, nil, .revenueMalformed),
        ("a lot", "a lot", nil, .revenueMalformed), (.decimal("1e40"), "1e40", nil, .revenueTooLarge),
        (.integer(.max), "9223372036854775807", nil, .revenueTooLarge),
        (.string(String(repeating: "9", count: 300)), nil, nil, .revenueMalformed),
    ]

    @Test(arguments: revenues)
    func revenueIsReadExactlyAndKeptAsText(value: JSON, text: String?, millionths: Int64?, problem: EventProblem?) {
        let facts = Self.purchase(["revenue": value, "currency": "EUR"])
        #expect(facts.commerce.revenueText == text)
        #expect(facts.commerce.revenue?.millionths == millionths)
        #expect(facts.problems == [problem].compactMap { $0 })
    }

    private static let currencies: [(value: JSON, code: String?, problem: EventProblem?)] = [
        ("EUR", "EUR", nil), ("eur", "EUR", nil), ("XTS", nil, .currencyUnknown), ("Euro", nil, .currencyUnknown),
        (978, nil, .currencyUnknown), (["EUR"], nil, .currencyUnknown), (nil, nil, .currencyMissing), ("", nil, .currencyMissing),
    ]

    @Test(arguments: currencies)
    func aCurrencyIsACodeOfTheStandard(value: JSON, code: String?, problem: EventProblem?) {
        let facts = Self.purchase(["revenue": 1, "currency": value])
        #expect(facts.commerce.currency?.code == code)
        #expect(facts.problems == [problem].compactMap { $0 })
    }

    private static let faults: [(fields: JSONObject, problem: EventProblem)] = [
        (["name": nil], .nameMissing), (["name": "ADD_TO_BASKET"], .nameUnknown), (["user_data": ["os": "iOS"]], .userMissing),
        (["event_data": "much"], .dataMalformed), (["custom_data": [1]], .dataMalformed), (["name": "SEARCH"], .searchMissing),
        (["name": "VIEW_ITEM"], .contentMissing), (["content_items": [1]], .contentMalformed),
        (["content_items": "pears"], .contentMalformed), (["content_items": [["$og_title": "Pear"]]], .contentMalformed),
        (["content_items": [["$canonical_identifier": .string(String(repeating: "x", count: 1025))]]], .contentMalformed),
        (["content_items": [["$canonical_identifier": "a", "$price": "cheap"]]], .priceMalformed),
        (["event_data": ["shipping": "free"]], .amountMalformed), (["event_data": ["ad_type": "POSTER"]], .adTypeUnknown),
        (["event_data": ["transaction_id": .string(String(repeating: "x", count: 256))]], .transactionTooLong),
    ]

    @Test(arguments: faults)
    func onlyTheFaultIsReported(fields: JSONObject, problem: EventProblem) {
        let sound: JSONObject = ["name": "LOGIN", "user_data": .object(Self.user)]
        #expect(Self.facts(sound.merging(fields)).problems == [problem])
    }

    @Test(arguments: [("x", 255), ("é", 254), ("😀", 252)])
    func aVeryLongNameIsCutBetweenCharactersAndKeptWholeInTheBody(character: String, bytes: Int) {
        let name = String(repeating: character, count: 300)
        let event = EventRequest(RequestFields(["name": .string(name), "user_data": .object(Self.user)])).event(
            endpoint: "v2/event/custom", fallback: "unnamed", PublicIDs(key: InstallationKey(high: 1, low: 2)))
        #expect(event.name.utf8.count == bytes && name.hasPrefix(event.name))
        #expect(event.body["name"] == .string(name))
        #expect(event.facts.problems == [.nameTooLong])
    }

    @Test func contentIsReadWithItsValueEachPieceOnce() throws {
        let pear: JSONObject = [
            "$canonical_identifier": "pear/1", "$price": .decimal("2.50"), "$quantity": 3, "$currency": "EUR", "colour": "green",
        ]
        let facts = Self.facts([
            "name": "PURCHASE", "user_data": .object(Self.user), "event_data": ["revenue": 9],
            "content_items": [.object(pear), ["$canonical_url": "https://a.example/"], .object(pear)],
        ])
        #expect(facts.content.map(\.object.identifier) == ["pear/1", "https://a.example/"])
        let object = try #require(ObjectDescription(item: pear))
        #expect(facts.content[0] == EventContent(object, value: Money(millionths: 7_500_000), currency: Currency("EUR")))
        #expect(facts.content[1].value == nil)
    }

    @Test func ofVeryMuchContentOnlyTheFirstPiecesAreCounted() {
        let items = (0..<150).map { JSON.object(["$canonical_identifier": .string("pear/\($0)")]) }
        let facts = Self.facts(["name": "VIEW_ITEMS", "user_data": .object(Self.user), "content_items": .array(items)])
        #expect(facts.content.count == EventFacts.mostContent)
        #expect(facts.problems == [.contentTooMuch])
    }

    private static let oldWays: [(endpoint: String, fields: JSONObject)] = [
        ("v1/register-view", ["data": ["$canonical_identifier": "pear/1", "$og_title": "Pear"]]),
        ("v1/register-view", ["data": #"{"$canonical_identifier":"pear/1","$og_title":"Pear"}"#]),
        ("v1/register-view", ["params": #"{"$canonical_identifier":"pear/1","$og_title":"Pear"}"#]),
        (
            "v1/event",
            [
                "event": "View",
                "metadata": ["$canonical_identifier_list": ["pear/1"], "pear/1": ["$og_title": "Pear"]],
            ]
        ),
    ]

    @Test(arguments: oldWays)
    func aViewThatAnOldSDKReportsNamesItsContent(endpoint: String, fields: JSONObject) {
        let facts = Self.facts(fields, endpoint: endpoint)
        #expect(facts.standard == .viewItem)
        #expect(facts.content.map(\.object.data) == [["$canonical_identifier": "pear/1", "$og_title": "Pear"]])
    }

    @Test func aListedIdentifierIsReadOnceHoweverOftenItIsListed() {
        let repeated = [JSON](repeating: "pear/1", count: 3000)
        let metadata: JSONObject = [
            "$canonical_identifier_list": .array(repeated + ["apple/1"]), "pear/1": #"{"$og_title":"Pear"}"#,
        ]
        let pear: JSON = ["$canonical_identifier": "pear/1", "$og_title": "Pear"]
        let apple: JSON = ["$canonical_identifier": "apple/1"]
        #expect(ListedContent(metadata: metadata)?.items == [pear, apple])
    }

    @Test func aListIsReadNoFurtherThanItsContentIsCounted() {
        let list = (0..<3000).map { JSON.string("pear/\($0)") }
        let metadata: JSONObject = ["$canonical_identifier_list": .array(list)]
        #expect(ListedContent(metadata: metadata)?.items.count == EventFacts.mostContent + 1)
        let facts = Self.facts(["event": "View", "metadata": .object(metadata)], endpoint: "v1/event")
        #expect(facts.content.count == EventFacts.mostContent)
        #expect(facts.problems.contains(.contentTooMuch))
    }

    @Test func anInvalidListedIdentifierIsNotedAndTheOthersAreRead() {
        let long = JSON.string(String(repeating: "x", count: 1025))
        let metadata: JSONObject = ["$canonical_identifier_list": [long, "", "pear/1"]]
        let facts = Self.facts(["event": "View", "metadata": .object(metadata)], endpoint: "v1/event")
        #expect(facts.content.map(\.object.identifier) == ["pear/1"])
        #expect(facts.problems.contains(.contentMalformed))
    }

    @Test func aPurchaseOfVersion1HasItsFiguresInCommerceData() {
        let facts = Self.facts(
            [
                "event": "purchase", "identity": "ann",
                "commerce_data": ["revenue": .decimal("19.99"), "currency": "gbp", "transaction_id": 17, "products": []],
            ], endpoint: "v1/event")
        #expect(facts.commerce.revenue?.text == "19.99")
        #expect(facts.commerce.currency == Currency("GBP"))
        #expect(facts.commerce.transactionID == "17")
        #expect(facts.problems == [])
    }
}
