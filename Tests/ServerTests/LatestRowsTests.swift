import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import Testing

/// The newest rows of an app's logs, as the dashboard shows them.
@Suite struct LatestRowsTests {
    @Test func theNewestRowsOfAnAppAreFoundBehindManyOfAnother() async throws {
        try await Exchange.run { exchange in
            let (clock, exports) = (exchange.installation.clock, exchange.services.exports)
            let (own, other) = (
                try await exchange.installation.createApp().live.key, try await exchange.installation.createApp("Meadow").live.key
            )
            let path = try await exchange.createLink(own.branchKey)
            let otherPath = try await exchange.createLink(other.branchKey)
            func click(_ path: String, times: Int) async throws {
                for _ in 0..<times {
                    clock.advance(by: .seconds(1))
                    _ = try await exchange.get(path, userAgent: UserAgents.desktop)
                }
            }
            try await click(path, times: 3)
            try await click(otherPath, times: 100)
            try await click(path, times: 2)
            clock.advance(by: .seconds(5))

            let four = try await exports.latest([.click], in: own.scope, limit: 4, \.checkpoint.id)
            #expect(four.count == 4)
            #expect(four == four.sorted(by: >))
            let hasty = try await exports.latest([.click], in: own.scope, limit: 4, patience: .zero, \.checkpoint.id)
            #expect(hasty == Array(four.prefix(2)), "the first part, where no more time is left")
            let all = try await exports.latest([.click, .open], in: own.scope, limit: 50, \.checkpoint.id)
            #expect(all.count == 5)
            #expect(Array(all.prefix(4)) == four)
            let wanted = try await exports.latest([.click], in: own.scope, limit: 1) {
                $0.checkpoint.id == all[4] ? $0.checkpoint : nil
            }
            #expect(wanted.map(\.id) == [all[4]])

            clock.advance(by: .seconds(86_400))
            #expect(try await exports.latest([.click], in: own.scope, limit: 4, \.checkpoint.id).isEmpty, "none of the last day")
        }
    }
}
