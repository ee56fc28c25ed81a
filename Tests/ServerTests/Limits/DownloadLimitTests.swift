import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@testable import Server

/// Exports that are downloaded at the same time.
@Suite struct DownloadLimitTests {
    @Test func anAppMayDownloadSoManyExportsAtATimeAndOthersGoOn() async throws {
        try await Exchange.run { exchange in
            let (target, other) = (try await download(exchange), try await download(exchange))
            var running: [Response] = []
            for number in 0..<4 { running.append(try await exchange.begin(.get, target, from: "203.0.\(number).7")) }
            #expect(running.map(\.status.code) == [200, 200, 200, 200])

            let refused = try await exchange.get(target, from: "203.0.113.7")
            #expect(refused.status == 429)
            #expect(refused.headers[.retryAfter] == "5")
            #expect(refused.errorMessage?.contains("limits.downloads") == true)
            #expect(try await exchange.get(other, from: "203.0.113.7").status == 200)

            running.removeLast()
            #expect(try await exchange.get(target).status == 200, "a client that has left makes room")
            #expect(try await exchange.get(target).status == 200, "and so does a download that is complete")
        }
    }

    @Test func oneSiteHasAShareOfTheDownloadsOfAllApps() throws {
        let limiter = DownloadLimiter(perApp: 4)
        var slots: [Hold] = []
        func begin(_ number: Int, from address: String) {
            let slot = try? limiter.begin(App.ID(rawValue: Int64(number)), for: ClientNetwork(ClientAddress(address)!))
            if let slot { slots.append(slot) }
        }
        for number in 0..<20 { begin(number, from: "2001:db8:1:1::7") }
        #expect(slots.count == 8, "of one address")
        for number in 0..<100 { begin(number, from: "2001:db8:1:\(number + 2)::7") }
        #expect(slots.count == 32, "of one site")
        begin(200, from: "198.51.100.1")
        #expect(slots.count == 33)
        slots.removeAll()
        begin(0, from: "2001:db8:1:1::7")
        #expect(slots.count == 1)
    }

    @Test func whereManyAppsDownloadEachHasOneAtATime() throws {
        let limiter = DownloadLimiter(perApp: 4)
        var slots: [Hold] = []
        func begin(_ app: Int64) -> Bool {
            let slot = try? limiter.begin(App.ID(rawValue: app), for: nil)
            if let slot { slots.append(slot) }
            return slot != nil
        }
        for app in 1...3 as ClosedRange<Int64> { #expect((0..<5).map { _ in begin(app) } == [true, true, true, true, false]) }
        #expect([begin(4), begin(4), begin(5), begin(5)] == [true, false, true, false])
        for app in 6..<100 as Range<Int64> { _ = begin(app) }
        #expect(slots.count == 64, "of all")
        slots.removeAll()
        #expect([begin(4), begin(4)] == [true, true])
    }

    /// Returns the path of the current day's clicks of a new app.
    private func download(_ exchange: Exchange) async throws -> String {
        let app = try await exchange.installation.createApp()
        let answer = try await exchange.post(
            "/v3/export",
            [
                "branch_key": .string(app.live.key.branchKey), "branch_secret": .string(app.live.secret),
                "export_date": "2027-01-15",
            ])
        let url = try #require(answer.object["eo_click"]?.array?.first?.string)
        return String(url.dropFirst("https://go.example.com".count))
    }
}
