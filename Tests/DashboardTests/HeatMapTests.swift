import Pages
import Testing

@testable import Dashboard

@Suite struct HeatMapTests {
    @Test func eachCellIsAsDarkAsItsPercentageIsHigh() {
        let chart = HeatMap(
            title: "Retention", description: "2 days.", columnLabels: ["day 0", "day 1", "day 2"],
            rows: [.init(label: "1 Jan", percentages: [100, 50, 0]), .init(label: "<all>", percentages: [100, 21])])

        #expect(
            chart.svg.html == """
                <svg viewBox="0 0 720 80" role="img" aria-labelledby="chart-title chart-description">
                <title id="chart-title">Retention</title>
                <desc id="chart-description">2 days.</desc>
                <text class="tick middle" x="198" y="18">day 0</text>
                <text class="tick middle" x="403" y="18">day 1</text>
                <text class="tick middle" x="609" y="18">day 2</text>
                <text class="tick end" x="88" y="44">1 Jan</text>\
                <rect class="heat heat5" x="96" y="28" width="204" height="23"/><text class="heatnumber" x="198" y="44">100</text>\
                <rect class="heat heat3" x="301" y="28" width="204" height="23"/><text class="heatnumber" x="403" y="44">50</text>\
                <rect class="heat heat0" x="506" y="28" width="205" height="23"/><text class="heatnumber" x="609" y="44">0</text>
                <text class="tick end" x="88" y="68">&lt;all&gt;</text>\
                <rect class="heat heat5" x="96" y="52" width="204" height="23"/><text class="heatnumber" x="198" y="68">100</text>\
                <rect class="heat heat2" x="301" y="52" width="204" height="23"/><text class="heatnumber" x="403" y="68">21</text>
                </svg>
                """)
        #expect(chart.legend.map(\.legendLabel) == ["0 %", "1 to 20 %", "21 to 40 %", "41 to 60 %", "61 to 80 %", "81 to 100 %"])
    }

    @Test func manyRowsAndColumnsAreDrawnWithoutNumbers() {
        let rows = (1...40).map { HeatMap.Row(label: "row \($0)", percentages: Array(repeating: 20, count: 91)) }
        let chart = HeatMap(
            title: "Retention", description: "", columnLabels: (0...90).map { "day \($0)" }, rows: rows)

        #expect(chart.rows.first?.label == "row 10" && chart.rows.count == HeatMap.mostRows)
        #expect(!chart.svg.html.contains("heatnumber") && chart.svg.html.contains(">row 40<"))
        #expect(chart.svg.html.matches(of: /class="heat heat1"/).count == 31 * 91)
    }
}
