import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// Other rules, tried on stored sessions in the dashboard.
@Suite struct DashboardReplayTests {
    @Test func itSaysWhichSessionsOtherRulesWouldChangeAndChangesNone() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let browser = try await DashboardBrowser(exchange, as: .support)
            #expect(try await browser.get(orchard.path + "/sessions").body.contains(#"href="\#(orchard.path)/replay""#))
            let form = try await browser.get(orchard.path + "/replay").body
            #expect(form.contains("Nothing is changed.") && !form.contains("Would change"))

            let same = try await browser.get(orchard.path + "/replay?from=7d").body
            #expect(same.contains("Nothing would change"))
            #expect(same.contains(#"<span class="label">Sessions</span> <span class="value">1</span>"#))
            let strict = try await browser.get(orchard.path + "/replay?from=7d&threshold=1000").body
            #expect(strict.contains(#"<span class="label">Would change</span> <span class="value">1</span>"#))
            #expect(strict.contains(#"href="\#(orchard.path)/sessions/\#(orchard.session)""#))
            #expect(strict.contains(#"<a href="\#(orchard.linkPath)">matched</a>"#) && strict.contains("refused"))
            #expect(strict.contains("linden replay --app \(orchard.app.live.key.branchKey) --from 7d --rules rules.yaml"))
            let asked = DashboardBrowser.encoded(#"{"threshold": 1000}"#)
            let other = try await browser.get(orchard.path + "/replay?from=7d&rules=" + asked).body
            #expect(other.contains(#"<span class="label">Would change</span> <span class="value">1</span>"#))

            let session = try await exchange.services.explanations.session(orchard.session)
            #expect(session.explanation.outcome == .matched && session.link == orchard.link.id)
        }
    }

    @Test(arguments: [
        ("threshold", "0", "threshold must be a whole number"), ("rules", "stricter", "rules must be a JSON object"),
        ("rules", #"{"<script>": 1}"#, "is not a rule"), ("to", "soon", "to must be"),
    ])
    func aMistakeIsSaidAtItsField(field: String, value: String, says: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let browser = try await DashboardBrowser(exchange, as: .editor)
            let page = try await browser.get(
                "/dashboard/apps/\(app.app.id)/replay?from=7d&\(field)=\(DashboardBrowser.encoded(value))")
            let message = try #require(page.body.firstMatch(of: /id="fault-([a-z_]+)">([^<]*)</))
            #expect(page.status == 400 && message.1 == field[...] && message.2.contains(says))
            #expect(!DashboardBrowser.withoutOwnModules(page.body).contains("<script"))
        }
    }
}
