import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Logging
import NIOCore
import NIOEmbedded
import PrometheusMetrics
import Testing

@testable import Server

/// What the server measures while it answers.
@Suite struct ServerMetricsTests {
    @Test func whatWasCountedBetweenTwoReadingsIsTheDifference() {
        let earlier = MetricsText("a_total{k=\"x\"} 5\na_total{k=\"y\"} 1\nb 7\nc_bucket{le=\"1\"} 90\nc_bucket{le=\"2\"} 90")
        let later = MetricsText("a_total{k=\"x\"} 8\na_total{k=\"y\"} 0\nb 3\nc_bucket{le=\"1\"} 90\nc_bucket{le=\"2\"} 95")
        let difference = later.since(earlier)
        #expect(difference.value("a_total", ["k": "x"]) == 3)
        #expect(difference.value("a_total", ["k": "y"]) == 0, "A counter that is lower than before has begun again.")
        #expect(difference.value("b") == 3, "A gauge is what it is now.")
        #expect(later.quantile(0.5, of: "c") == 1 && difference.quantile(0.5, of: "c") == 2)
    }

    @Test func theQuantileOfSeveralSeriesIsThatOfTheirSum() {
        let fast = "c_bucket{k=\"x\",le=\"1\"} 9\nc_bucket{k=\"x\",le=\"2\"} 9\nc_bucket{k=\"x\",le=\"+Inf\"} 9\n"
        let slow = "c_bucket{k=\"y\",le=\"1\"} 0\nc_bucket{k=\"y\",le=\"2\"} 1\nc_bucket{k=\"y\",le=\"+Inf\"} 1\n"
        let text = MetricsText(fast + slow)
        #expect(text.quantile(0.9, of: "c") == 1 && text.quantile(0.95, of: "c") == 2)
        #expect(text.quantile(0.5, of: "c", ["k": "y"]) == 2 && text.quantile(0.5, of: "c", ["k": "z"]) == nil)
    }

    private static func visits(of kind: String, _ status: String, in text: MetricsText) -> Double? {
        text.value("linden_http_requests_total", ["kind": kind, "status": status])
    }

    @Test func requestsAreCountedByKindAndStatus() async throws {
        let registry = PrometheusRegistry(.all)
        try await Exchange.run(metrics: ServerMetrics(factory: registry)) { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key)
            _ = try await exchange.get(path, userAgent: UserAgents.desktop)
            _ = try await exchange.get("/nothing", userAgent: UserAgents.desktop)
            _ = try await exchange.get("/api/v1/apps")
            _ = try await exchange.get("/dashboard/sign-in")
            _ = try await exchange.get("/healthz")
            _ = try await exchange.get("/.well-known/assetlinks.json")
            _ = try await exchange.get("/v1/no-such-call")
        }

        let text = MetricsText(await registry.text())
        #expect(Self.visits(of: "visit", "3xx", in: text) == 1 && Self.visits(of: "visit", "4xx", in: text) == 1)
        #expect(text.value("linden_http_requests_total", ["kind": "sdk", "call": "link", "status": "2xx"]) == 1)
        #expect(text.sum("linden_http_requests_total", ["kind": "sdk"]) == 1)
        #expect(Self.visits(of: "management", "4xx", in: text) == 1, "without a token")
        #expect(text.sum("linden_http_requests_total", ["kind": "dashboard"]) == 1)
        #expect(Self.visits(of: "health", "2xx", in: text) == 1)
        #expect(text.sum("linden_http_requests_total", ["kind": "other"]) == 2)
        #expect(text.value("linden_http_request_duration_seconds_count", ["kind": "visit"]) == 2)
    }

    @Test(arguments: [
        ("/v1/open", "POST", "open"), ("/v1/install", "POST", "install"), ("/v2/event/standard", "POST", "event"),
        ("/v1/event", "POST", "event"), ("/v1/url", "POST", "link"), ("/v1/url/bulk/{branch_key}", "POST", "link"),
        ("/v1/url", "GET", "other"), ("/v1/close", "POST", "other"), ("/c/{click_id}", "POST", "other"), ("/_r", "GET", "other"),
        ("/c/{click_id}", "GET", nil), ("/v1/app/{branch_key}", "GET", nil), ("/**", "GET", nil),
    ])
    func theCallsOfSDKsAreDistinguished(route: String, method: String, call: String?) {
        let kind = RequestKind(HTTPRequest.Method(method)!, route)
        #expect(kind.dimensions.map { $0.1 } == [kind.name] + (call.map { [$0] } ?? []))
        #expect((kind.name == "sdk") == (call != nil))
    }

    @Test func visitsAheadOfTheRouterAreCountedOnceLikeAllOthers() async throws {
        let registry = PrometheusRegistry(.all)
        let metrics = ServerMetrics(factory: registry)
        try await Exchange.run(metrics: metrics) { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$desktop_url": "https://orchard.example.com/d"]])
            // Through the router, which caches the link and the day's address key.
            for _ in 1...2 { _ = try await exchange.get(path, userAgent: UserAgents.desktop) }
            let connection = try await VisitConnection(exchange, metrics: metrics)
            try await connection.get(path)
            let answer = try await connection.answer()
            try await connection.get(path, headers: [("User-Agent", UserAgents.googlebot)])
            _ = try await connection.answer()
            #expect(answer.status == 302)
            #expect(MetricsText(await registry.text()).value("linden_connections_open") == 1)
            try await connection.close()
        }

        let text = MetricsText(await registry.text())
        #expect(text.sum("linden_http_requests_total", ["kind": "visit"]) == 4)
        #expect(text.value("linden_clicks_total", ["visitor": "person"]) == 3)
        #expect(text.value("linden_clicks_total", ["visitor": "robot", "reason": "crawler"]) == 1)
    }

    @Test func sessionsAreCountedByTheirAttribution() async throws {
        let registry = PrometheusRegistry(.all)
        try await Exchange.run(metrics: ServerMetrics(factory: registry)) { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key)
            _ = try await exchange.get(path)
            let open: JSON = [
                "branch_key": .string(key), "hardware_id": "A1", "os": "iOS", "os_version": "17.5.1", "sdk": "ios3.6.0",
                "branch_sdk_request_unique_id": "one",
            ]
            for _ in 1...2 { _ = try await exchange.post("/v1/install", open) }
            _ = try await exchange.post("/v1/install", ["branch_key": .string(key), "hardware_id": "A2"], from: "198.51.100.9")
        }

        let text = MetricsText(await registry.text())
        #expect(text.value("linden_sessions_total", ["outcome": "matched", "reason": "fingerprint"]) == 1)
        #expect(text.value("linden_sessions_total", ["outcome": "organic"]) == 1)
        #expect(text.sum("linden_sessions_total") == 2, "a retry is no further session")
    }

    @Test func monitorsGetMetricsAndHealthOnTheirOwnAddressAlone() async throws {
        let registry = PrometheusRegistry(.all)
        try await Exchange.run(metrics: ServerMetrics(factory: registry)) { exchange in
            let router = LindenServer.adminRouter(services: exchange.services, metrics: registry).buildResponder()
            func get(_ path: String) async throws -> Response {
                let channel = EmbeddedChannel()
                let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                let request = Request(
                    head: .init(method: .get, scheme: "http", authority: "127.0.0.1:9091", path: path),
                    body: .init(buffer: ByteBuffer()))
                return try await router.respond(
                    to: request, context: LindenContext(source: ApplicationRequestContextSource(channel: channel, logger: logger)))
            }

            let metrics = try await get("/metrics")
            #expect(metrics.status == .ok && metrics.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(try await get("/healthz").status == .ok)
            #expect(try await get("/readyz").status == .ok)
            #expect(try await get("/dashboard").status == .notFound)
            #expect(try await exchange.get("/metrics").status == 404)
        }
    }
}
