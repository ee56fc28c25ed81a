import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import Server

/// The memory of large answers to an app's operators and servers that are being sent.
@Suite struct AnswerBudgetMiddlewareTests {
    private static let app = App.ID(rawValue: 1)
    private let answers = AnswerBudget(of: "Large answers", perApp: 250_000, overall: 250_000)

    @Test func anAnswerThatIsNotReadHoldsItsBytesUntilItsClientLeaves() async throws {
        var unread: Response? = try await answer(200_000)
        #expect(unread?.body.contentLength == 200_000)
        let failure = await #expect(throws: Failure.self) { try await answer(100_000) }
        #expect(failure?.code == .rateLimited)
        #expect(failure?.message.hasPrefix("Large answers are still being received.") == true)
        unread = nil
        #expect(try await answer(100_000).body.contentLength == 100_000)
    }

    @Test func anAnswerIsSentAsItWas() async throws {
        let collected = BodyCollector()
        try await answer(200_000).body.write(collected)
        #expect(collected.bytes == [UInt8](repeating: 7, count: 200_000))
    }

    @Test func anAnswerAboutWhatIsDoneIsNeverRefusedButCounted() async throws {
        let first = try await answer(200_000, .post, "/v1/url/bulk/{branch_key}")
        let second = try await answer(200_000, .post, "/v1/url/bulk/{branch_key}")
        #expect([first, second].map(\.status) == [.ok, .ok])
        await #expect(throws: Failure.self) { try await answer(100_000) }
    }

    @Test func whatAnMCPToolReadsIsRefused() async throws {
        let unread = try await answer(200_000, .post, "/mcp")
        await #expect(throws: Failure.self) { try await answer(100_000, .post, "/mcp") }
        #expect(unread.status == .ok)
    }

    @Test(arguments: [true, false]) func smallAnswersAndThoseOfHeadAreNotCounted(isSmall: Bool) async throws {
        var unread: [Response] = []
        for _ in 0..<5 { unread.append(try await answer(isSmall ? 65_536 : 200_000, isSmall ? .get : .head)) }
        #expect(try await answer(200_000).status == .ok)
        #expect(unread.count == 5)
    }

    @Test func answersToOthersHaveLimitsOfTheirOwn() async throws {
        let unread = [try await answer(200_000, isAuthorized: false), try await answer(200_000, isAuthorized: false)]
        #expect(try await answer(200_000).status == .ok)
        #expect(unread.count == 2)
    }

    /// Sends a call through the middleware.
    private func answer(
        _ length: Int, _ method: HTTPRequest.Method = .get, _ endpoint: String = "/api/v1/links", isAuthorized: Bool = true
    ) async throws -> Response {
        let address = try #require(ClientAddress("203.0.113.7"))
        let admission = Admission(.call, from: address, by: RateLimiter(limits: RateLimits(exempt: []), now: { 0 }))
        if isAuthorized { admission.belongs(to: Self.app) }
        var context = LindenContext(
            source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "test")))
        context.coreContext.endpointPath.value = endpoint
        context.admission = admission
        let head = HTTPRequest(method: method, scheme: "http", authority: "127.0.0.1", path: "/", headerFields: [:])
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        return try await AnswerBudgetMiddleware(answers: answers).handle(request, context: context) { _, _ in
            Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(repeating: 7, count: length)))
        }
    }
}
