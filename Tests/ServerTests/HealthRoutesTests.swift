import HTTPTypes
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

@Suite struct HealthRoutesTests {
    @Test(arguments: ["/healthz", "/readyz"])
    func aWorkingServerSaysSo(path: String) async throws {
        try await Exchange.run { exchange in
            let answer = try await exchange.get(path)
            let head = try await exchange.send(.head, path)
            #expect(answer.status == 200)
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
        }
    }

    @Test func readinessIsDeterminedAtMostOnceASecond() async throws {
        try await Exchange.run { (exchange: Exchange) async throws in
            #expect(try await exchange.get("/readyz").status == 200)
            await exchange.installation.storage.shutdown()
            #expect(try await exchange.get("/readyz").status == 200, "the answer of less than a second ago")
            exchange.installation.clock.advance(by: .seconds(1))
            #expect(try await exchange.get("/readyz").status == 503)
        }
    }
}
