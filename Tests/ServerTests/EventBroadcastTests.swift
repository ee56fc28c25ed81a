import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import NIOCore
import Testing

@testable import Server

/// The rows that the listeners of an app's event stream share.
@Suite struct EventBroadcastTests {
    /// They may be erased in the database meanwhile.
    @Test func rowsAreInMemoryForSecondsOnly() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key
            let clock = exchange.installation.clock
            let tail = try await exchange.services.exports.tail([], in: key.scope, since: nil)
            let (broadcast, topics) = (EventBroadcast(tail), Set(ExportTopic.current.map(\.rawValue)))
            clock.advance(by: .seconds(5))
            _ = try await exchange.install(key.branchKey, ["identity": "ann@example.com"])
            clock.advance(by: .seconds(5))
            try await broadcast.read()
            let message = try #require(broadcast.messages(after: tail.position, of: topics)?.messages.first)
            #expect(String(buffer: message.text).contains("ann@example.com"))
            clock.advance(by: .seconds(20))
            try await broadcast.read()
            #expect(broadcast.messages(after: tail.position, of: topics) == nil)
            #expect(broadcast.messages(after: message.id, of: topics)?.messages.isEmpty == true)
        }
    }
}
