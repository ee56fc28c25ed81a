import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// Pages that ask about all of an app's rows do so in the app's turn, so that users who look at several do not fill the memory.
@Suite struct QuestionTurnsTests {
    @Test(arguments: ["", "/events", "/analytics?question=top&by=channel"])
    func aPageThatAsksTheAnalyticsIsRefusedWhileTooManyWait(page: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let other = try await exchange.installation.createApp("Meadow")
            let browser = try await DashboardBrowser(exchange, as: .admin)
            let (analytics, scope) = (exchange.services.analytics, app.live.key.scope)
            let (end, ending) = AsyncStream.makeStream(of: Void.self)
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<70 {
                    group.addTask {
                        do {
                            try await analytics.inTurn(of: scope) { for await _ in end {} }
                            return true
                        } catch let failure as Failure where failure.code == .unavailable {
                            return false
                        }
                    }
                }
                // One asks and 64 wait.
                for _ in 0..<5 { #expect(try await group.next() == false) }
                let refused = try await browser.get("/dashboard/apps/\(app.app.id)\(page)")
                #expect(refused.status == 503 && refused.body.contains("Too many questions are waiting"))
                #expect(try await browser.get("/dashboard/apps/\(app.app.id)/links").status == 200)
                #expect(try await browser.get("/dashboard/apps/\(other.app.id)\(page)").status == 200)
                ending.finish()
                try await group.waitForAll()
            }
            #expect(try await browser.get("/dashboard/apps/\(app.app.id)\(page)").status == 200)
        }
    }
}
