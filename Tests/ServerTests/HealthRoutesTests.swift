import LindenTesting
import Testing

@Suite struct HealthRoutesTests {
    @Test(arguments: ["/healthz", "/readyz"])
    func aWorkingServerSaysSo(path: String) async throws {
        try await Exchange.run { exchange in
            let answer = try await exchange.get(path)
            #expect(answer.status == 200)
        }
    }
}
