import Linden
import LindenKernel
import Testing

@testable import Dashboard

/// The page that says why a session was attributed, as a value.
@Suite struct ExplanationPageTests {
    private static func page(_ view: JSONObject, link: Link.ID? = nil) -> PageView {
        let session = Session(
            id: Identifier(rawValue: Sample.id), scope: Sample.scope, device: Identifier(rawValue: 1),
            identity: Identifier(rawValue: 2),
            kind: .install, link: link, click: nil, data: ["variety": "Cox"],
            explanation: StoredDecision(outcome: .organic, reason: ""))
        return PageView.explanation(of: session, view, id: "session_1")
    }

    private static func candidate(_ time: String, won: Bool, points: JSON, signals: JSON) -> JSON {
        [
            "clicked_at": .string(time), "link_id": "12", "link": "https://go.example.com/pears", "matcher": "fingerprint",
            "won": .bool(won), "points": points, "reason": won ? "the only click" : "another address", "signals": signals,
        ]
    }

    @Test func aMatchNamesItsLinkItsMatcherAndItsEstimatedError() {
        let page = Self.page(
            [
                "outcome": "matched", "matcher": "fingerprint", "link": "https://go.example.com/pears", "attributed": true,
                "match_guaranteed": false, "estimated_wrong_per_thousand": 4, "reason": "One click matches.", "candidates": [],
                "answers": [],
            ], link: Identifier(rawValue: 12))
        #expect(page.title == "Why?" && page.lead == "Install on 2027-01-15 08:00 UTC, attributed to https://go.example.com/pears")
        #expect(page.blocks.first == .note("One click matches."))
        #expect(
            page.blocks.facts.map(\.factName) == ["Outcome", "Matcher", "Link", "Match", "Estimated wrong matches", "Session"])
        #expect(
            page.blocks.facts.flatMap(\.factCells) == [
                Cell("matched"), Cell("fingerprint"), Cell("https://go.example.com/pears", href: Sample.path + "/links/12"),
                Cell("probabilistic"), Cell("4 of 1,000 with this score"), .code("session_1"),
            ])
        #expect(page.blocks.contains(.paragraph("No click was compared with this session.")))
        #expect(page.blocks.compactMap(\.preformatted).map(\.preText) == [#"{"variety":"Cox"}"#])
        #expect(
            page.blocks.last?.equivalents
                == Equivalents(command: "linden explain session_1", call: "GET /api/v1/sessions/session_1/explanation"))
    }

    @Test func candidatesAndTheirSignalsAreSideBySide() throws {
        let model: JSON = ["name": "model", "seen": "iPhone15,2", "points": 20]
        let screen: JSON = ["name": "screen", "seen": "390x844", "points": .null]
        let page = Self.page([
            "outcome": "refused", "reason": "None.",
            "candidates": [
                Self.candidate("2027-01-15T07:59:00.000Z", won: false, points: 20, signals: [model]),
                Self.candidate("2027-01-15T07:58:00.000Z", won: true, points: .null, signals: [screen]),
            ],
            "answers": [["matcher": "click", "reason": "no click id"]],
        ])
        let candidates = try #require(page.table("The clicks that were compared"))
        #expect(
            candidates.texts.map { Array($0.dropFirst()) } == [
                ["https://go.example.com/pears", "fingerprint", "20", "lost"],
                ["https://go.example.com/pears", "fingerprint", "", "won"],
            ])
        #expect(candidates.rows.map { $0.cells[0].cellNote } == ["candidate 1", "candidate 2"])
        #expect(candidates.rows.map { $0.cells[4].cellNote } == ["another address", "the only click"])
        let signals = try #require(page.table("What was compared"))
        #expect(
            signals.rows.map(\.cells) == [
                [Cell("model"), Cell("iPhone15,2", note: "20 points"), Cell("")], [Cell("screen"), Cell(""), Cell("390x844")],
            ])
        #expect(page.table("The matchers that were tried, in order")?.texts == [["click", "no click id"]])
        #expect(page.blocks.facts.map(\.factName) == ["Outcome", "Matcher", "Session"])
    }

    @Test func atMostFiveCandidatesHaveTheirSignalsSideBySide() throws {
        let signal: JSON = ["name": "model", "seen": "x", "points": 1]
        let candidates = (0..<8).map { _ in Self.candidate("2027-01-15T07:59:00.000Z", won: false, points: 1, signals: [signal]) }
        let page = Self.page(["outcome": "refused", "reason": "", "candidates": .array(candidates)])
        #expect(try #require(page.table("The clicks that were compared")).rows.count == 8)
        #expect(try #require(page.table("What was compared")).columns.count == 6)
    }
}
