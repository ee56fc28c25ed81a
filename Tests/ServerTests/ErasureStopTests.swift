import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import SQLiteStorage
import Testing

/// The stop of a server that erases the data of many people.
@Suite struct ErasureStopTests {
    private static let named = "SELECT COUNT(*) FROM identities WHERE developer_identity IS NOT NULL"

    @Test func anErasureEndsWhenTheServerStopsAndIsContinuedAtTheNextStart() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            let names = ["ann", "bob", "carol"]
            for (number, name) in names.enumerated() {
                _ = try await exchange.install(
                    app.key.branchKey, ["identity": .string(name)], from: "192.0.2.\(number + 1)")
            }
            #expect(try await exchange.rows(Self.named) == 3)

            let request = try await exchange.services.subjectRequests.ask(
                .erasure, about: names.map { DataSubject(kind: .developer, value: $0) }, in: app.key.scope)
            for _ in 0..<3 {
                let (reached, signal) = AsyncStream.makeStream(of: Void.self)
                let stopping = HookedStorage(exchange.installation.storage) { write in
                    guard write == 1 else { return }
                    signal.finish()
                    // Returns as soon as the task is cancelled.
                    try? await Task.sleep(for: .seconds(600))
                }
                let requests = SubjectRequestService(
                    storage: exchange.installation.storage, people: exchange.people(on: stopping),
                    publicIDs: exchange.services.publicIDs, exports: exchange.services.exports)
                let round = Task { try await requests.runAll() }
                for await _ in reached {}
                round.cancel()
                await #expect(throws: CancellationError.self) { try await round.value }
                #expect(try await exchange.rows(Self.named) == 3)
                let stopped = try await requests.request(request.handle)
                #expect(stopped.doneAt == nil)
                #expect(stopped.subjects.count == 3)
            }

            try await exchange.services.subjectRequests.runAll()
            #expect(try await exchange.rows(Self.named) == 0)
            #expect(try await exchange.services.subjectRequests.request(request.handle).doneAt != nil)
        }
    }

    /// The devices are deleted first.
    @Test func whomADeviceLedToIsErasedAlthoughTheDeviceWasWhenTheServerStopped() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            for name in ["ann", "bob", "carol"] {
                _ = try await exchange.install(
                    app.key.branchKey, ["os": "Android", "google_advertising_id": "38f1-0001", "identity": .string(name)])
            }
            let request = try await exchange.services.subjectRequests.ask(
                .erasure, about: [DataSubject(kind: .device, value: "38f1-0001")], in: app.key.scope)
            let stopping = HookedStorage(exchange.installation.storage) { _ in
                if try await exchange.rows("SELECT COUNT(*) FROM devices") == 0 { throw Failure.unavailable("The process ends.") }
            }
            let requests = SubjectRequestService(
                storage: exchange.installation.storage, people: exchange.people(on: stopping),
                publicIDs: exchange.services.publicIDs, exports: exchange.services.exports)
            try? await requests.runAll()
            #expect(try await exchange.rows("SELECT COUNT(*) FROM devices") == 0)
            #expect(try await exchange.rows(Self.named) == 3)

            exchange.installation.clock.advance(by: .seconds(600))
            try await exchange.services.subjectRequests.runAll()
            #expect(try await exchange.rows(Self.named) == 0)
            let done = try await exchange.services.subjectRequests.request(request.handle)
            #expect(done.doneAt != nil && done.subjects.isEmpty)
        }
    }
}
