import Pages
import Testing

@testable import Dashboard

@Suite struct FunnelChartTests {
    @Test func eachStepIsAsWideAsItsShareOfTheWidest() {
        let chart = FunnelChart(
            title: "Funnel <a>", description: "100 & fewer.",
            steps: [.init(label: "Clicks", value: 100), .init(label: "Installs", value: 25), .init(label: "Bought", value: 1)])

        #expect(
            chart.svg.html == """
                <svg viewBox="0 0 720 176" role="img" aria-labelledby="chart-title chart-description">
                <title id="chart-title">Funnel &lt;a&gt;</title>
                <desc id="chart-description">100 &amp; fewer.</desc>
                <text class="tick end" x="212" y="27">Clicks</text><rect class="bar" x="220" y="4" width="390" height="36"/>\
                <text class="tick" x="618" y="27">100</text>
                <polygon class="flow" points="220,40 610,40 463,70 367,70"/><text class="tick" x="618" y="59">↓ 25 %</text>
                <text class="tick end" x="212" y="93">Installs</text><rect class="bar" x="367" y="70" width="96" height="36"/>\
                <text class="tick" x="618" y="93">25</text>
                <polygon class="flow" points="367,106 463,106 416,136 414,136"/><text class="tick" x="618" y="125">↓ 4 %</text>
                <text class="tick end" x="212" y="159">Bought</text><rect class="bar" x="414" y="136" width="2" height="36"/>\
                <text class="tick" x="618" y="159">1</text>
                </svg>
                """)
    }

    @Test func aFunnelOfNothingHasNoShares() {
        let chart = FunnelChart(
            title: "Funnel", description: "", steps: [.init(label: "Clicks", value: 0), .init(label: "Installs", value: 0)])

        #expect(chart.svg.html.contains(#"<rect class="bar" x="415" y="4" width="0" height="36"/>"#))
        #expect(chart.svg.html.contains(">↓ –</text>"))
    }
}
