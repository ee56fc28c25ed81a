import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenServices
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

    /// The rows of answers to questions have the members that their descriptions require, and no others but dimensions.
    @Test func theRowsOfAnalyticsAreThoseOfTheDescription() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let token = try await exchange.token(.analyst, for: orchard.app)
            let document = try #require(try Yams.load(yaml: try await exchange.get("/openapi.yaml").body) as? [String: Any])
            func resolved(_ value: Any?) -> [String: Any] {
                guard let object = value as? [String: Any], let reference = object["$ref"] as? String else {
                    return value as? [String: Any] ?? [:]
                }
                let names = reference.split(separator: "/").dropFirst()
                return resolved(names.reduce(document as Any?) { ($0 as? [String: Any])?[String($1)] })
            }
            let paths = try #require(document["paths"] as? [String: [String: Any]])
            for question in AnalyticsQuestion.allCases {
                let path = "/api/v1/analytics/" + question.rawValue
                let responses = resolved(paths[path]?["get"])["responses"] as? [String: Any]
                let content = resolved(resolved(responses?["200"])["content"])["application/json"]
                let parts = (resolved(content)["schema"] as? [String: Any])?["allOf"] as? [Any] ?? []
                let results = resolved(resolved(parts.last)["properties"])["results"]
                let row = resolved(resolved(results)["items"])
                let known = Set(resolved(row["properties"]).keys)
                let required = Set(row["required"] as? [String] ?? [])
                #expect(!known.isEmpty && known.isSuperset(of: required), "\(path)")
                let takesDimension = [.counts, .top, .funnel, .lifetimeValue].contains(question)
                let answer = try await exchange.manage(
                    .get, "\(path)?app=\(orchard.app.app.id)&from=today" + (takesDimension ? "&by=link" : ""), token: token)
                let rows = (answer.object["results"]?.array ?? []).compactMap(\.object)
                #expect(!rows.isEmpty, "\(path) \(answer.body)")
                for keys in rows.map({ Set($0.keys) }) {
                    #expect(keys.isSuperset(of: required), "\(path) \(keys)")
                    #expect(keys.subtracting(known) == (takesDimension ? ["link"] : []), "\(path) \(keys)")
                }
            }
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
