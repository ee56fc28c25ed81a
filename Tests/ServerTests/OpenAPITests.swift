import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenTesting
import Server
import Testing
import Yams

@Suite struct OpenAPITests {
    @Test func theDescriptionNamesExactlyTheCallsThatAreAnswered() async throws {
        try await Exchange.run { exchange in
            let answer = try await exchange.get("/openapi.yaml")
            #expect(answer.status == 200)
            #expect(answer.headers[.contentType]?.hasPrefix("application/yaml") == true)
            let document = try #require(try Yams.load(yaml: answer.body) as? [String: Any])
            let paths = try #require(document["paths"] as? [String: [String: Any]])
            let methods: Set = ["get", "head", "post", "put", "patch", "delete"]
            let described = paths.flatMap { path, item in
                item.keys.filter(methods.contains).map { "\($0.uppercased()) \(path)" }
            }

            // A link is at any path without a route, including the root and its other forms.
            let linkPaths: Set = ["/", "/**", "/c/{click_id}", "/c/{click_id}/device"]
            let answered = exchange.calls.map { call in
                let path = call.path.replacing(/:(\w+)/) { "{\($0.1)}" }
                let isLink = linkPaths.contains(path) && ["GET", "HEAD"].contains(call.method)
                return "\(call.method) \(isLink ? "/{link}" : path)"
            }
            #expect(Set(described) == Set(answered))
        }
    }

    /// Otherwise a link with such an alias could be created, but never visited.
    @Test func noAliasBeginsWithThePathOfACall() async throws {
        try await Exchange.run { exchange in
            let segments = Set(exchange.calls.compactMap { $0.path.split(separator: "/").first })
                .filter { !$0.hasPrefix(":") && $0 != "**" }
            #expect(segments.count > 10)
            for segment in segments {
                #expect(throws: Failure.self, "\(segment)") { try Alias.check("\(segment)/apples") }
            }
        }
    }

    @Test func everyCallThatIsLimitedDescribesTheRefusal() async throws {
        try await Exchange.run { exchange in
            let document = try #require(try Yams.load(yaml: try await exchange.get("/openapi.yaml").body) as? [String: Any])
            let paths = try #require(document["paths"] as? [String: [String: Any]])
            for (path, item) in paths where !["/healthz", "/readyz"].contains(path) {
                for (method, operation) in item where ["get", "head", "post", "put", "patch", "delete"].contains(method) {
                    let responses = (operation as? [String: Any])?["responses"] as? [String: Any]
                    let refusal = (responses?["429"] as? [String: Any])?["$ref"] as? String
                    #expect(refusal == "#/components/responses/TooManyRequests", "\(method) \(path)")
                }
            }
            let components = document["components"] as? [String: Any]
            let shared = (components?["responses"] as? [String: [String: Any]])?["TooManyRequests"]
            #expect((shared?["headers"] as? [String: Any])?.keys.contains("Retry-After") == true)
        }
    }

    @Test func theDescriptionNamesEveryExampleVisitorOfAPreview() async throws {
        try await Exchange.run { exchange in
            let document = try #require(try Yams.load(yaml: try await exchange.get("/openapi.yaml").body) as? [String: Any])
            let paths = try #require(document["paths"] as? [String: [String: Any]])
            let call = try #require(paths["/api/v1/preview"]?["get"] as? [String: Any])
            let parameters = try #require(call["parameters"] as? [[String: Any]])
            let schema = try #require(parameters.first { $0["name"] as? String == "as" }?["schema"] as? [String: Any])
            #expect(schema["enum"] as? [String] == ExampleVisitor.all.map(\.name))
        }
    }
}
