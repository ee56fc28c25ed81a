import Linden
import LindenKernel
import LindenReporting
import LindenServices
import Testing

@testable import Dashboard

/// The page about a user of the app, as a value.
@Suite struct IdentityPageTests {
    private static let view: JSONObject = [
        "identity_id": "identity_1", "developer_identity": "ann", "created_at": "2027-01-15T08:00:00.000Z", "sessions": 1200,
        "referred_installs": 3,
        "first_session": ["session_id": "session_1", "started_at": "2027-01-15T08:00:00.000Z"],
        "devices": [
            ["os": "iOS", "model": "iPhone15,2", "browser": false, "device_id": "device_1"],
            ["os": "Windows", "model": .null, "browser": true, "device_id": "device_2"],
        ],
    ]

    private static func timeline(_ entries: [IdentityTimeline.Entry], _ captions: [String: LinkCaption] = [:]) -> Table {
        .timeline(IdentityTimeline(entries: entries), captions, of: Sample.scope, PublicIDs(key: InstallationKey(high: 1, low: 2)))
    }

    private static func blocks(_ role: DashboardUser.Role, _ view: JSONObject = view, timeline: Table = timeline([])) -> [Block] {
        .identity(view, of: Sample.app, for: role, timeline: timeline)
    }

    @Test func figuresFactsAndDevicesAreThoseOfTheUser() {
        let blocks = Self.blocks(.support)
        #expect(
            blocks.cards == [
                Card(cardLabel: "Sessions", cardValue: "1,200"), Card(cardLabel: "Referred installs", cardValue: "3"),
            ])
        var first = Cell.time("2027-01-15T08:00:00.000Z")
        first.cellHref = Sample.path + "/sessions/session_1"
        #expect(blocks.facts.map(\.factName) == ["Id in the app", "Id in Linden", "Created", "First session"])
        #expect(
            blocks.facts.flatMap(\.factCells) == [Cell("ann"), .code("identity_1"), .time("2027-01-15T08:00:00.000Z"), first])
        #expect(
            blocks.compactMap(\.table).map(\.texts) == [
                [["iOS", "iPhone15,2", "app", "device_1"], ["Windows", "", "browser", "device_2"]]
            ])
    }

    @Test func onlyAdministratorsCopyAndEraseData() {
        #expect(Self.blocks(.admin).contains(.heading("Privacy")))
        for role in [DashboardUser.Role.support, .editor] { #expect(!Self.blocks(role).contains(.heading("Privacy"))) }
        let anonymous = Self.blocks(.admin, ["identity_id": "identity_2"])
        #expect(anonymous.facts.first?.factCells == [Cell("none: an anonymous user")])
        let erasure = anonymous.compactMap(\.buttons).flatMap(\.buttonList).last
        #expect(erasure?.buttonHref == Sample.path + "/identities/erase?identity=identity_2")
    }

    @Test func theTimelineNamesLinksByTheirTitles() {
        let link = Link.ID(rawValue: 12)
        let table = Self.timeline(
            [
                IdentityTimeline.Entry(time: Sample.time, what: .event(name: "PURCHASE", amount: "12.50 EUR")),
                IdentityTimeline.Entry(time: Sample.time, what: .click(link: link)),
                IdentityTimeline.Entry(time: Sample.time, what: .click(link: Identifier(rawValue: 13))),
            ], ["12": LinkCaption(url: "https://go.example.com/pears", title: "Cox")])
        let time = Cell.time("2027-01-15T08:00:00.000Z")
        #expect(
            table.rows.map(\.cells) == [
                [time, Cell("PURCHASE"), Cell("12.50 EUR")], [time, Cell("Click"), Cell("Cox", href: Sample.path + "/links/12")],
                [time, Cell("Click"), Cell("a link")],
            ])
        #expect(Self.blocks(.support, timeline: table).contains { $0.table == table })
    }
}
