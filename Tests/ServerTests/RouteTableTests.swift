import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import Server

/// Which route a path has.
@Suite struct RouteTableTests {
    private static let routes = [
        "/", "/**", "/v1/open", "/v1/credits", "/v1/credits/:id", "/v1/credits/all", "/v1/credits/all/:day",
        "/api/v1/links/:id/clicks",
    ]

    @Test(arguments: [
        ("/", "/"), ("/pears", "/**"), ("/a/b/c/d/e/f/g", "/**"), ("/v1/open", "/v1/open"), ("/v1/open/", "/v1/open"),
        ("/v1/credits/7", "/v1/credits/:id 7"), ("/v1/credits/a%2Fb", "/v1/credits/:id a%2Fb"),
        ("/v1/credits/all", "/v1/credits/all"),
        ("/v1/credits/all/5", "/v1/credits/all/:day"), ("/v1/credits/7/5", "nothing"), ("/v1/credits", "/v1/credits"),
        ("/api/v1/links/x/clicks", "/api/v1/links/:id/clicks x"), ("/api/v1/links/x/clicks/y", "nothing"),
        ("/api/v1/links/x/y", "nothing"),
        ("/v1/other", "nothing"), ("/v1", "nothing"), ("/api/v1/links/x", "nothing"),
    ]) func literalSegmentsComeBeforeParametersAndBothBeforeTheRest(path: String, route: String) async throws {
        #expect(try await Self.answer(to: path) == route)
        // The router of the library has the same answer.
        let router = Router(context: LindenContext.self)
        Self.add(to: router)
        #expect(try await Self.answer(to: path, by: router.buildResponder()) == route)
    }

    @Test func aRouteIsForItsMethodsOnly() async throws {
        #expect(try await Self.answer(to: "/v1/open", method: .post) == "nothing")
    }

    private static func add(to routes: some RouterMethods<LindenContext>) {
        for route in Self.routes {
            routes.get(RouterPath(route)) { _, context in
                let id = context.parameters.get("id").map { " " + $0 } ?? ""
                return Response(status: .noContent, headers: [.location: route + id])
            }
        }
    }

    private static func answer(to path: String, method: HTTPRequest.Method = .get) async throws -> String {
        let table = RouteTable()
        add(to: table)
        return try await answer(to: path, method: method, by: table.buildResponder())
    }

    private static func answer(
        to path: String, method: HTTPRequest.Method = .get, by responder: some HTTPResponder<LindenContext>
    ) async throws -> String {
        let request = Request(
            head: HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path),
            body: RequestBody(buffer: ByteBuffer()))
        let context = LindenContext(
            source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "test")))
        let response = try await responder.respond(to: request, context: context)
        return response.headers[.location] ?? (response.status == .notFound ? "nothing" : "\(response.status)")
    }
}
