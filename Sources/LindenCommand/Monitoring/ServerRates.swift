import LindenKernel
import PrometheusMetrics

/// What a server did between two readings of its metrics.
struct ServerRates {
    private enum Value {
        case perSecond(Double)
        case percent(Double)
        case number(Double)
        case milliseconds(Double)
        case bytes(Double)
        case text(String)
    }

    private let values: [(name: String, value: Value?)]

    /// - Parameters:
    ///   - metrics: what was counted in between, see ``MetricsText/since(_:)``.
    ///   - seconds: the time in between.
    ///   - problem: why the server is not ready; nil if it is.
    init(_ metrics: MetricsText, over seconds: Double, problem: String?) {
        func rate(_ name: String, _ labels: [String: String] = [:]) -> Value { .perSecond(metrics.sum(name, labels) / seconds) }
        func slowest(_ part: Double, _ name: String, _ labels: [String: String] = [:]) -> Value? {
            metrics.quantile(part, of: name, labels).map { .milliseconds($0 * 1000) }
        }
        func share(_ part: Double, of all: Double) -> Value? { all > 0 ? .percent(100 * part / all) : nil }
        let requests = "linden_http_requests_total"
        let durations = "linden_http_request_duration_seconds"
        let commits = metrics.sum("linden_commit_duration_seconds_count")
        let (hits, misses) = (metrics.sum("linden_cache_hits_total"), metrics.sum("linden_cache_misses_total"))
        values = [
            ("status", .text(problem ?? "ready")), ("requests_per_second", rate(requests)),
            ("visits_per_second", rate(requests, ["kind": "visit"])),
            ("sdk_calls_per_second", rate(requests, ["kind": "sdk"])),
            ("failed_requests_per_second", rate(requests, ["status": "5xx"])),
            ("refused_by_limits_per_second", rate("linden_limits_refused_total")),
            ("visits_within_ms_p50", slowest(0.5, durations, ["kind": "visit"])),
            ("visits_within_ms_p99", slowest(0.99, durations, ["kind": "visit"])),
            ("sdk_calls_within_ms_p99", slowest(0.99, durations, ["kind": "sdk"])),
            ("clicks_of_people_per_second", rate("linden_clicks_total", ["visitor": "person"])),
            ("clicks_of_robots_per_second", rate("linden_clicks_total", ["visitor": "robot"])),
            ("sessions_per_second", rate("linden_sessions_total")), ("commits_per_second", .perSecond(commits / seconds)),
            ("writes_per_commit", commits > 0 ? .number(metrics.sum("linden_commit_batch_size_sum") / commits) : nil),
            ("commits_within_ms_p99", slowest(0.99, "linden_commit_duration_seconds")),
            ("writes_waiting", .number(metrics.sum("linden_write_queue_depth"))),
            ("cache_hits_percent", share(hits, of: hits + misses)),
            ("connections", .number(metrics.sum("linden_connections_open"))),
            ("processor_percent", .percent(100 * metrics.sum("process_cpu_seconds_total") / seconds)),
            ("memory_bytes", metrics.value("process_resident_memory_bytes").map { .bytes($0) }),
            ("wal_bytes", metrics.value("linden_wal_bytes").map { .bytes($0) }),
        ]
    }

    /// Returns the values by name: as numbers for a script, with units for a person.
    func view(_ format: OutputFormat) -> JSONObject {
        var view: JSONObject = [:]
        for (name, value) in values {
            switch format {
            case .json: view[name] = value.map(Self.json) ?? .null
            case .table: view[Self.caption(name)] = value.map(Self.text) ?? .null
            }
        }
        return view
    }

    private static func json(_ value: Value) -> JSON {
        switch value {
        case .text(let text): .string(text)
        case .bytes(let bytes): .integer(Int64(nearest: bytes))
        case .perSecond(let number), .percent(let number), .number(let number), .milliseconds(let number): decimal(number)
        }
    }

    private static func text(_ value: Value) -> JSON {
        switch value {
        case .text(let text): .string(text)
        case .bytes(let bytes): .string(Int64(nearest: bytes).asBytes)
        case .perSecond(let number): .string((decimal(number).scalarText ?? "") + "/s")
        case .percent(let number): .string("\(Int64(nearest: number)) %")
        case .milliseconds(let number): .string((decimal(number).scalarText ?? "") + " ms")
        case .number(let number): decimal(number)
        }
    }

    /// A number with one decimal, or whole from a hundred on.
    private static func decimal(_ number: Double) -> JSON {
        let tenths = Int64(nearest: number * 10)
        if tenths % 10 == 0 || tenths >= 1000 { return .integer(Int64(nearest: number)) }
        return .decimal("\(tenths / 10).\(tenths % 10)")
    }

    private static func caption(_ name: String) -> String {
        var words = name
        for unit in ["_bytes", "_per_second", "_percent"] where words.hasSuffix(unit) { words.removeLast(unit.count) }
        return words.replacing("_ms_", with: "_").split(separator: "_").joined(separator: " ")
    }
}
