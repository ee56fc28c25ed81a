import HTTPTypes
import LindenTesting
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
}
