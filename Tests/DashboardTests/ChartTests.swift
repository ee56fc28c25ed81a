import LindenKernel
import LindenReporting
import Pages
import Testing

@testable import Dashboard

/// Charts are functions of their values.
@Suite struct ChartTests {
    @Test(
        arguments: [
            (0, [0, 1, 2]), (1, [0, 1, 2]), (3, [0, 1, 2, 3]), (4, [0, 1, 2, 3, 4]), (5, [0, 2, 4, 6]), (9, [0, 5, 10]),
            (40, [0, 10, 20, 30, 40]), (41, [0, 20, 40, 60]), (999, [0, 500, 1000]), (1001, [0, 500, 1000, 1500]),
            (Int64.max, [0, 500_000_000_000_000, 1_000_000_000_000_000]),
        ] as [(Int64, [Int64])])
    func theAxisHasRoundTicks(highest: Int64, ticks: [Int64]) {
        #expect(Chart.ticks(upTo: highest) == ticks)
    }

    @Test func atMostSixDaysAreNamedAndTheLastIsOneOfThem() {
        #expect(Chart.shownLabels(of: 0) == [])
        #expect(Chart.shownLabels(of: 1) == [0])
        #expect(Chart.shownLabels(of: 6) == [0, 1, 2, 3, 4, 5])
        #expect(Chart.shownLabels(of: 30) == [4, 9, 14, 19, 24, 29])
    }

    @Test func areasOfAmountsBeyondAllNumbersEndAtTheGreatest() {
        let chart = Chart(
            title: "Revenue", description: "Two apps.", labels: ["1 Jan"],
            lines: ["a", "b"].map { Chart.Line(name: $0, values: [Int64.max / 3 * 2]) }, isStacked: true)

        #expect(chart.drawn.map(\.values) == [[Int64.max / 3 * 2], [Int64.max]])
    }

    @Test func aChartIsDrawnWithItsTitleAndBothPeriods() {
        let chart = Chart(
            title: "Clicks <by> day", description: "7 clicks & 3 before.", labels: ["1 Jan", "2 Jan", "3 Jan"],
            lines: [
                Chart.Line(name: "Clicks", values: [1, 4, 2]), Chart.Line(name: "Before", values: [0, 3, 0], isPrevious: true),
            ])

        #expect(
            chart.svg.html == """
                <svg viewBox="0 0 720 260" role="img" aria-labelledby="chart-title chart-description">
                <title id="chart-title">Clicks &lt;by&gt; day</title>
                <desc id="chart-description">7 clicks &amp; 3 before.</desc>
                <line class="grid" x1="64" x2="680" y1="224" y2="224"/><text class="tick end" x="56" y="224" dy="4">0</text>
                <line class="grid" x1="64" x2="680" y1="172" y2="172"/><text class="tick end" x="56" y="172" dy="4">1</text>
                <line class="grid" x1="64" x2="680" y1="120" y2="120"/><text class="tick end" x="56" y="120" dy="4">2</text>
                <line class="grid" x1="64" x2="680" y1="68" y2="68"/><text class="tick end" x="56" y="68" dy="4">3</text>
                <line class="grid" x1="64" x2="680" y1="16" y2="16"/><text class="tick end" x="56" y="16" dy="4">4</text>
                <text class="tick middle" x="64" y="250">1 Jan</text>
                <text class="tick middle" x="372" y="250">2 Jan</text>
                <text class="tick middle" x="680" y="250">3 Jan</text>
                <polyline class="line previous" points="64,224 372,68 680,224"/>
                <polyline class="line line0" points="64,172 372,16 680,120"/>
                </svg>
                """)
        #expect(chart.legend.map(\.swatch) == ["line0", "previous"])
    }

    @Test func stackedLinesStandOnOneAnother() {
        let chart = Chart(
            title: "Clicks", description: "2 lines.", labels: ["1 Jan", "2 Jan"],
            lines: [Chart.Line(name: "mail", values: [1, 2]), Chart.Line(name: "sms", values: [1, 2])], isStacked: true)
        #expect(chart.ticks == [0, 1, 2, 3, 4])
        #expect(
            chart.svg.html.hasSuffix(
                """
                <polygon class="area area0" points="64,172 680,120 680,224 64,224"/>
                <polygon class="area area1" points="64,120 680,16 680,120 64,172"/>
                <polyline class="line line0" points="64,172 680,120"/>
                <polyline class="line line1" points="64,120 680,16"/>
                </svg>
                """))
    }

    @Test func whatHappenedIsMarkedAndNamedInTheLegend() {
        func event(_ day: Int64, _ text: String) -> Chart.Event { Chart.Event(time: Timestamp(hour: day * 24 + 7), text: text) }
        let first: Int64 = 20_000
        let events = [
            event(first + 2, "changed <b>"), event(first + 1, "changed by bea"), event(first + 1, "created"),
            event(first - 1, "no"),
        ]
        let marks = Chart.marks(of: events) { time in time.day >= first ? Int(time.day - first) : nil }
        #expect(
            marks == [
                Chart.Mark(index: 1, text: "5 Oct: 2 changes, the last: changed by bea"),
                Chart.Mark(index: 2, text: "6 Oct: changed <b>"),
            ])
        let chart = Chart(
            title: "Clicks", description: "None.", labels: ["4 Oct", "5 Oct", "6 Oct"],
            lines: [Chart.Line(name: "Clicks", values: [0, 0, 0])], marks: marks)
        #expect(
            chart.svg.html.contains(
                #"<line class="mark" x1="372" x2="372" y1="16" y2="224"/><text class="tick middle" x="372" y="12">1</text>"#))
        #expect(chart.legend.map(\.swatch) == ["line0", "mark", "mark"])
        #expect(chart.legend.last?.legendLabel == "2: 6 Oct: changed <b>")
        let many = (0..<9).map { event(first + 8 - $0, "changed") }
        #expect(Chart.marks(of: many) { Int($0.day - first) }.map(\.index) == [3, 4, 5, 6, 7, 8])
    }

    @Test func aSparklineIsDrawnFromZeroToItsHighestValue() {
        #expect(
            Sparkline(description: "At most 4 <a> day.", values: [0, 4, 2]).svg.html == """
                <svg class="spark" viewBox="0 0 96 24" role="img" aria-label="At most 4 &lt;a&gt; day.">\
                <polyline class="line line0" points="0,22 48,2 96,12"/></svg>
                """)
        #expect(Sparkline(description: "", values: [7]).svg.html.contains(#"points="48,2""#))
        #expect(Sparkline(description: "", values: []).svg.html.contains(#"points="""#))
    }

    @Test func aBarOfThePeriodBeforeIsDrawnBelow() {
        let chart = BarChart(
            title: "Clicks", description: "1 value.", bars: [BarChart.Bar(label: "mail", value: 50, text: "50", previous: 100)])

        #expect(chart.svg.html.contains(#"<rect class="bar" x="220" y="7" width="195" height="15"/>"#))
        #expect(chart.svg.html.contains(#"<rect class="bar before" x="220" y="22" width="390" height="4"/>"#))
        #expect(chart.legend.map(\.swatch) == ["line0", "before"])
    }

    @Test func barsAreDrawnWithTheirLabelsAndValues() {
        let chart = BarChart(
            title: "Clicks <by> channel", description: "3 values.",
            bars: [
                BarChart.Bar(label: "mail & post", value: 400, text: "400"), BarChart.Bar(label: "sms", value: 1, text: "1"),
                BarChart.Bar(label: String(repeating: "x", count: 40), value: 0, text: "0"),
            ])

        #expect(
            chart.svg.html == """
                <svg viewBox="0 0 720 92" role="img" aria-labelledby="chart-title chart-description">
                <title id="chart-title">Clicks &lt;by&gt; channel</title>
                <desc id="chart-description">3 values.</desc>
                <text class="tick end" x="212" y="21">mail &amp; post</text><rect class="bar" x="220" y="7" width="390" height="20"/>\
                <text class="tick" x="618" y="21">400</text>
                <text class="tick end" x="212" y="49">sms</text><rect class="bar" x="220" y="35" width="1" height="20"/>\
                <text class="tick" x="229" y="49">1</text>
                <text class="tick end" x="212" y="77">xxxxxxxxxxxxxxxxxxxxxxxxxxx…</text>\
                <rect class="bar" x="220" y="63" width="0" height="20"/><text class="tick" x="228" y="77">0</text>
                </svg>
                """)
    }

    @Test func oneValueIsAPoint() {
        let chart = Chart(title: "Clicks", description: "", labels: ["1 Jan"], lines: [Chart.Line(name: "Clicks", values: [2])])

        #expect(chart.svg.html.contains(#"<circle class="point line0" cx="372" cy="16" r="3"/>"#))
        #expect(!chart.svg.html.contains("polyline"))
    }

    @Test(
        arguments: [(0, "0"), (999, "999"), (1000, "1K"), (2500, "2.5K"), (1_500_000, "1.5M"), (2_000_000_000, "2G")]
            as [(Int64, String)])
    func ticksAreShort(number: Int64, text: String) {
        #expect(number.short == text)
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "−1,000")] as [(Int64, String)])
    func figuresHaveSeparators(number: Int64, text: String) {
        #expect(number.grouped == text)
    }

    @Test func changesArePercentages() {
        #expect(PeriodComparison(100, after: 50).change == "+100 %")
        #expect(PeriodComparison(67, after: 100).change == "−33 %")
        #expect(PeriodComparison(3, after: 3).change == "0 %")
        #expect(PeriodComparison(7, after: 0).change == nil)
    }

    /// Anyone with an app's public key may report any amount.
    @Test func amountsFarBeyondAllOthersAreShownToo() {
        #expect(PeriodComparison(.min, after: 1).change == "−1,000,000,000,000,000 %")
        #expect(PeriodComparison(.max, after: 1).change == "+1,000,000,000,000,000 %")
        #expect([-1e30, 1e30, .nan, -2.5, 2.4].map { Int64(nearest: $0) } == [.min, .max, 0, -3, 2])
        let chart = Chart(
            title: "Revenue", description: "Of two days.", labels: ["1 Jan", "2 Jan"],
            lines: [Chart.Line(name: "a", values: [.min, 1]), Chart.Line(name: "b", values: [.max, 0])])
        #expect(chart.svg.html.contains(#"points="64,224 680,224""#))
    }
}
