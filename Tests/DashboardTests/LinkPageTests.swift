import Linden
import LindenKernel
import LindenReporting
import LindenServices
import Testing

@testable import Dashboard

/// The page of a link as a value.
@Suite struct LinkPageTests {
    private static let url = "https://go.example.com/pears"

    private static func details(
        title: String? = "A crate of Cox", deletedAt: Timestamp? = nil, clicks: Int64 = 0, latest: [JSONObject]? = [],
        visitor: ClickVisitor? = nil,
        saved: String = "", warnings: [String] = []
    ) -> LinkDetails {
        LinkDetails(
            link: Link(
                id: Identifier(rawValue: 12), scope: Sample.scope, address: LinkAddress(host: "go.example.com", path: "pears"),
                hasAlias: true, kind: .standard, duration: nil, owner: nil, labels: Labels(channel: "mail", tags: ["red", "ripe"]),
                folder: "Autumn", data: title.map { ["$og_title": .string($0)] } ?? [:], object: nil, source: .api,
                createdAt: Sample.time, deletedAt: deletedAt),
            url: url, figures: LinkStatistics(clicks: 1234, robots: 5, sessions: 6, installs: 7), preview: nil,
            daily: LinkClicks((0..<60).map { (day: 20_000 + $0, clicks: clicks) }), latest: latest, visitor: visitor, history: nil,
            saved: saved,
            warnings: warnings)
    }

    private static func page(_ details: LinkDetails, _ role: DashboardUser.Role = .admin) -> PageView {
        PageView.link(details, of: Sample.app, for: role)
    }

    @Test func theTotalsLeadToMoreAboutThemAsFarAsTheRoleMaySeeIt() {
        let clicks = Sample.path + "/analytics?filter=link%3D12"
        let robots = Sample.path + "/links/12?visitor=robot#clicks"
        let cards = Self.page(Self.details()).blocks.cards
        #expect(
            cards == [
                Card(cardLabel: "Clicks", cardValue: "1,234", cardHref: clicks),
                Card(cardLabel: "Robots", cardValue: "5", cardHref: robots),
                Card(cardLabel: "Sessions", cardValue: "6", cardHref: Sample.path + "/sessions?link=12"),
                Card(cardLabel: "Installs", cardValue: "7", cardHref: Sample.path + "/sessions?kind=install&link=12"),
            ])
        #expect(Self.page(Self.details(latest: nil), .analyst).blocks.cards.map(\.cardHref) == [clicks, nil, nil, nil])
        #expect(Self.page(Self.details(), .support).blocks.cards[0].cardHref == nil)
    }

    @Test func onlyEditorsOfALinkThatIsThereCanChangeIt() {
        func buttons(_ page: PageView) -> [String] { page.blocks.compactMap(\.buttons).flatMap(\.buttonList).map(\.buttonLabel) }
        #expect(buttons(Self.page(Self.details(), .editor)).contains("Edit"))
        #expect(!buttons(Self.page(Self.details(), .analyst)).contains { ["Edit", "Create one like this"].contains($0) })
        let deleted = Self.page(Self.details(deletedAt: Sample.time))
        #expect(buttons(deleted) == [] && deleted.blocks.allSatisfy { $0.picture == nil })
        #expect(deleted.blocks.first == .note("This link was deleted at 2027-01-15T08:00:00.000Z. Its address stays reserved."))
    }

    @Test func theTitleIsThatOfTheLinkOtherwiseItsPath() {
        let titled = Self.page(Self.details())
        #expect(titled.title == "A crate of Cox" && titled.blocks.first?.address == Address(addressHref: Self.url))
        let plain = Self.page(Self.details(title: nil))
        #expect(plain.title == "pears" && plain.blocks.first?.address == Address(addressHref: Self.url))
        #expect(Self.page(Self.details(title: String(repeating: "x", count: 300))).title.count == 200)
        let created = Self.page(Self.details(saved: "created")).blocks
        #expect(created.first == .success("The link was created. Open its address to see its first click below."))
    }

    @Test func whatHasNoEffectIsSaidBelowTheSuccess() {
        let warnings = ["$desktop_url is passed over."]
        let created = Self.page(Self.details(saved: "created", warnings: warnings)).blocks
        #expect(created[0].notice?.noticeClass == "success" && created[1] == .note("$desktop_url is passed over."))
        let deleted = Self.page(Self.details(deletedAt: Sample.time, warnings: warnings)).blocks
        #expect(!deleted.contains(.note("$desktop_url is passed over.")))
    }

    @Test func theFactsAreItsLabelsFolderAndTimes() {
        let facts = Self.page(Self.details()).blocks.facts
        #expect(facts.map(\.factName) == ["Channel", "Tags", "Folder", "Created", "Id"])
        #expect(facts[1].factCells == [Cell("red, ripe")] && facts[3].factCells == [.time("2027-01-15T08:00:00.000Z")])
    }

    @Test func theLatestClicksAreListedAndAnEmptyListSaysWhatToDo() throws {
        let click: JSONObject = [
            "time": "2027-01-15T08:00:00.000Z", "platform": "ios", "os": "iOS", "os_version": "18.5", "browser": "safari",
            "country": "DE",
            "robot": .null,
        ]
        let robot: JSONObject = ["time": "2027-01-15T07:00:00.000Z", "platform": "desktop", "os": .null, "robot": "crawler"]
        let table = try #require(Self.page(Self.details(latest: [click, robot])).table("Latest clicks, of the last 24 hours"))
        #expect(
            table.rows.map(\.cells) == [
                [.time("2027-01-15T08:00:00.000Z"), Cell("iOS 18.5"), Cell("safari"), Cell("DE"), Cell("person")],
                [.time("2027-01-15T07:00:00.000Z"), Cell("desktop"), Cell(""), Cell(""), Cell("robot: crawler")],
            ])
        #expect(Self.page(Self.details()).blocks.compactMap(\.empty).map(\.emptyTitle) == ["No clicks in the last 24 hours"])
    }

    @Test func theTabOfRobotsSaysWhereTheyComeFromAndItsCommandNamesThem() throws {
        let (all, robots) = (Self.page(Self.details()), Self.page(Self.details(visitor: .robot)))
        #expect(robots.blocks.contains { $0.heading == "Latest clicks" && $0.headingID == "clicks" })
        let empty = try #require(robots.blocks.compactMap(\.empty).first)
        #expect(empty.emptyTitle == "No visits of robots in the last 24 hours" && empty.emptyText.hasPrefix("Robots come where"))
        let (plain, named) = (
            try #require(all.blocks.compactMap(\.equivalents).first), try #require(robots.blocks.compactMap(\.equivalents).first)
        )
        #expect(!plain.command.contains("--visitor") && !plain.call.contains("visitor"))
        #expect(named.command.contains("--visitor robot") && named.call.contains("visitor=robot"))
        #expect(plain.command.contains("linden links update https://go.example.com/pears --archive"))
    }

    @Test func aChartIsShownOnceThereAreClicks() {
        #expect(Self.page(Self.details()).blocks.allSatisfy { $0.figure == nil })
        let blocks = Self.page(Self.details(clicks: 2)).blocks
        #expect(blocks.compactMap(\.figure).first?.figureTable?.rows.count == 30)
        #expect(blocks.compactMap(\.figure).first?.legend.map(\.swatch) == ["line0", "previous"])
        let event = Chart.Event(time: Timestamp(hour: (20_000 + 59) * 24), text: "created")
        let marked = LinkClicks((0..<60).map { (day: 20_000 + $0, clicks: 1) }, events: [event]).blocks
        #expect(marked.compactMap(\.figure).first?.legend.last?.legendLabel == "1: 2 Dec: created")
        #expect(blocks.contains { $0.paragraph?.hasPrefix("60 clicks by people, after 60 in the 30 days before") == true })
    }
}
