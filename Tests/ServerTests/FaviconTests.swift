import HTTPTypes
import LindenTesting
import Testing

@Suite struct FaviconTests {
    @Test(arguments: [HTTPRequest.Method.get, .head])
    func aBrowserThatAsksForAnIconLearnsForADayThatThereIsNone(method: HTTPRequest.Method) async throws {
        try await Exchange.run { exchange in
            let answer = try await exchange.send(method, "/favicon.ico", userAgent: UserAgents.desktop)
            #expect(answer.status == 204 && answer.bytes.isEmpty)
            #expect(answer.headers[.cacheControl] == "public, max-age=86400")
        }
    }
}
