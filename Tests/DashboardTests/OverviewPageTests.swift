import Linden
import LindenKernel
import LindenReporting
import Testing

@testable import Dashboard

/// The overview as a value, made of the answers to its queries.
@Suite struct OverviewPageTests {
    /// The rows of a query by day: the same figure on each day.
    private static func days(_ query: AnalyticsQuery, _ figure: Int128) -> [AnalyticsAnswer.Row] {
        query.span.periods(.day).map { AnalyticsAnswer.Row(period: $0, values: [], figure: figure) }
    }

    /// The page of 7 days with the given rows of some dimensions.
    private static func page(
        _ tops: [Dimension: [(value: String, clicks: Int128)]], captions: [String: LinkCaption] = [:], clicks: Int128 = 2,
        tooMany: Dimension? = nil
    ) throws -> PageView {
        let figures = zip(
            OverviewMeasure.allCases, try OverviewFigures.figureQueries(of: Sample.scope, .week, now: Sample.time)
        ).map { days($1, $0 == .clicks ? clicks : 0) }
        let rows = zip(
            OverviewFigures.dimensions, try OverviewFigures.topQueries(of: Sample.scope, .week, now: Sample.time)
        ).map { dimension, query in
            dimension == tooMany
                ? nil
                : (tops[dimension] ?? []).map { AnalyticsAnswer.Row(period: query.span, values: [$0.value], figure: $0.clicks) }
        }
        return PageView.overview(OverviewFigures(.week, figures, tops: rows, captions: captions), .clicks, of: Sample.app)
    }

    @Test func ofADimensionWithTooManyValuesItSaysSo() throws {
        let page = try Self.page([.channel: [("mail", 3)]], tooMany: .campaign)
        let campaigns = page.table("Campaigns with the most clicks")?.rows.map(\.cells)
        #expect(campaigns == [[Cell("Too many to list. Choose a shorter time."), .figure("")]])
        #expect(page.table("Channels with the most clicks")?.rows.first?.cells.last == .number(3))
    }

    /// The log of clicks may have millions of rows, and their totals thousands.
    @Test func eachQueryIsAnsweredByTotals() throws {
        let queries =
            try OverviewFigures.figureQueries(of: Sample.scope, .month, now: Sample.time)
            + OverviewFigures.topQueries(of: Sample.scope, .month, now: Sample.time)
        let asked = queries.flatMap(\.dimensions)
        #expect(asked == OverviewFigures.dimensions && asked.first == .link)
        let counted = Dimension.daily + Dimension.ofVisitors + [.hourOfDay]
        #expect(asked.allSatisfy(counted.contains) && queries.allSatisfy { $0.dimensions.count <= 1 })
        #expect(queries.filter { !$0.dimensions.isEmpty }.allSatisfy { $0.topics == [.click] && $0.filters.isEmpty })
    }

    @Test func eachCardHasItsFigureItsChangeAndItsQuestion() throws {
        let cards = try Self.page([:]).blocks.cards
        let question = Sample.path + "/analytics?from=7d"
        #expect(
            cards.first == Card(cardLabel: "Clicks", cardValue: "14", cardChange: "0 %", cardHref: question, isCurrent: true))
        #expect(
            cards.map(\.cardLabel) == ["Clicks", "Visits of robots", "Installs", "Opens", "Events", "Revenue", "Matched installs"])
    }

    @Test func eachValueLeadsToItsQuestion() throws {
        let page = try Self.page([
            .os: [("IOS", 9), ("", 1)], .browser: [("Safari", 9)], .language: [("DE", 4)], .referrer: [("news.example", 3)],
            .hourOfDay: [("08", 10)], .channel: [("a,b", 2)],
        ])
        func cells(_ values: String) -> [[Cell]]? { page.table(values + " with the most clicks")?.rows.map(\.cells) }
        func question(_ filter: String) -> String {
            Sample.path + "/analytics?from=7d&filter=" + filter
        }
        #expect(
            cells("Operating systems") == [
                [Cell("iOS", href: question("os%3DIOS")), .number(9)], [Cell("(none)", href: question("os%3D")), .number(1)],
            ])
        #expect(cells("Browsers") == [[Cell("Safari", href: question("browser%3DSafari")), .number(9)]])
        #expect(cells("Languages") == [[Cell("DE", href: question("language%3DDE")), .number(4)]])
        #expect(cells("Referrers") == [[Cell("news.example", href: question("referrer%3Dnews.example")), .number(3)]])
        #expect(cells("Hours") == [[Cell("08:00 to 08:59", href: question("hour_of_day%3D08")), .number(10)]])
        // A filter cannot name a value with a comma.
        let top = Sample.path + "/analytics?question=top&from=7d&by=channel"
        #expect(cells("Channels") == [[Cell("a,b", href: top), .number(2)]])
        #expect(cells("Countries") == [[Cell("none"), .number(0)]])
    }

    @Test func aLinkHasItsTitleAndLeadsToItsPage() throws {
        let page = try Self.page(
            [.link: [("12", 5), ("0", 2)]],
            captions: [
                "12": LinkCaption(url: "https://go.example.com/x", title: "Cox"), "0": LinkCaption(url: nil, title: "long links"),
            ])
        let rows = try #require(page.table("Links with the most clicks")).rows.map(\.cells)
        #expect(rows[0][0] == Cell("Cox", href: Sample.path + "/links/12", note: "https://go.example.com/x"))
        #expect(rows[0][1].cellHref == Sample.path + "/analytics?from=7d&filter=link%3D12")
        #expect(rows[1][0].cellText == "long links" && rows[1][0].cellHref?.hasSuffix("filter=link%3D0") == true)
    }

    @Test func anAppWithoutTrafficSaysWhatToDo() throws {
        let empty = try Self.page([:], clicks: 0).blocks.compactMap(\.empty)
        #expect(empty.map(\.emptyTitle) == ["Nothing has happened yet"] && empty.first?.emptyCommand == "key_live_x")
        #expect(try Self.page([:]).blocks.allSatisfy { $0.empty == nil })
    }
}
