import LindenKernel
import LindenReporting
import LindenServices
import PrometheusMetrics

/// How a server does, for a terminal or a script.
struct ServerStatus {
    private enum Value {
        case text(String)
        case number(Int64)
        case bytes(Int64)
        case seconds(Double)
        case milliseconds(Double)
        case time(Timestamp)
    }

    private var values: [(name: String, value: Value?)]

    /// What is known without a server.
    init(_ status: SystemStatus, _ workload: Workload) {
        values = [
            ("version", .text(status.version)), ("database", status.database.map { .text($0) }),
            ("database_bytes", status.databaseBytes.map { .bytes($0) }), ("disk_free_bytes", status.freeBytes.map { .bytes($0) }),
            ("last_backup", status.backups.newest.map { .time($0.time) }),
            ("aggregation_lag_seconds", .seconds(workload.countingLag.values.map(\.inSeconds).max() ?? 0)),
            ("exports_waiting", .number(Int64(workload.exports))), ("erasures_waiting", .number(Int64(workload.erasures))),
        ]
    }

    /// - Parameter problem: why the server is not ready; nil if it is.
    init(_ metrics: MetricsText, problem: String?, now: Timestamp) {
        func number(_ name: String, _ labels: [String: String] = [:]) -> Value? {
            .number(Int64(nearest: metrics.sum(name, labels)))
        }
        func bytes(_ name: String) -> Value? { metrics.value(name).map { .bytes(Int64(nearest: $0)) } }
        func time(_ name: String) -> Value? {
            metrics.value(name).map { .time(Timestamp(milliseconds: Int64(nearest: $0 * 1000))) }
        }
        func slowest(_ part: Double, _ name: String, _ labels: [String: String] = [:]) -> Value? {
            metrics.quantile(part, of: name, labels).map { .milliseconds($0 * 1000) }
        }
        let isDamaged = metrics.value("linden_database_damaged") == 1
        values = [
            ("status", .text(problem ?? (isDamaged ? "ready, but the database is damaged" : "ready"))),
            ("version", metrics.label("version", of: "linden_build_info").map { .text($0) }),
            ("uptime_seconds", metrics.value("process_start_time_seconds").map { .seconds(Double(now.milliseconds) / 1000 - $0) }),
            ("requests", number("linden_http_requests_total")),
            ("failed_requests", number("linden_http_requests_total", ["status": "5xx"])),
            ("clicks_of_people", number("linden_clicks_total", ["visitor": "person"])),
            ("clicks_of_robots", number("linden_clicks_total", ["visitor": "robot"])),
            ("clicks_unrecorded", number("linden_clicks_unrecorded_total")), ("sessions", number("linden_sessions_total")),
            ("visits_within_ms_p99", slowest(0.99, "linden_http_request_duration_seconds", ["kind": "visit"])),
            ("commits_within_ms_p99", slowest(0.99, "linden_commit_duration_seconds")),
            ("writes_waiting", number("linden_write_queue_depth")), ("refused_by_limits", number("linden_limits_refused_total")),
            ("connections", number("linden_connections_open")), ("event_streams", number("linden_event_streams_open")),
            ("memory_bytes", bytes("process_resident_memory_bytes")), ("database_bytes", bytes("linden_database_bytes")),
            ("wal_bytes", bytes("linden_wal_bytes")), ("disk_free_bytes", bytes("linden_disk_free_bytes")),
            ("last_backup", time("linden_backup_last_success_timestamp_seconds")),
            ("last_uploaded_backup", time("linden_backup_uploaded_timestamp_seconds")),
            (
                "aggregation_lag_seconds",
                .seconds(
                    ActivityLog.allCases.compactMap { metrics.value("linden_aggregation_lag_seconds", ["log": $0.rawValue]) }.max()
                        ?? 0)
            ),
            ("exports_waiting", number("linden_jobs_waiting", ["kind": "export"])),
            ("erasures_waiting", number("linden_jobs_waiting", ["kind": "erasure"])),
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
        case .number(let number), .bytes(let number): .integer(number)
        case .seconds(let seconds): .integer(Int64(nearest: seconds.rounded(.down)))
        case .milliseconds(let milliseconds): decimal(milliseconds)
        case .time(let time): .string(time.iso8601)
        }
    }

    private static func text(_ value: Value) -> JSON {
        switch value {
        case .bytes(let bytes): .string(bytes.asBytes)
        case .seconds(let seconds) where seconds < 60: .string("\(Int64(nearest: seconds.rounded(.down))) s")
        case .seconds(let seconds): .string(Int64(nearest: seconds.rounded(.down)).asUptime)
        case .number(let number): .string(number.grouped)
        default: json(value)
        }
    }

    /// A number of milliseconds as whole ones, or with the decimals of the histogram's bound.
    private static func decimal(_ milliseconds: Double) -> JSON {
        let micros = Int64(nearest: milliseconds * 1000)
        if micros % 1000 == 0 { return .integer(micros / 1000) }
        return .decimal("\(micros / 1000).\(String(1000 + micros % 1000).dropFirst())")
    }

    private static func caption(_ name: String) -> String {
        var words = name
        for unit in ["_bytes", "_seconds"] where words.hasSuffix(unit) { words.removeLast(unit.count) }
        return words.split(separator: "_").joined(separator: " ")
    }
}

extension SystemStatus.Backups {
    fileprivate var newest: ServerFiles.Backup? {
        if case .folder(_, let newest) = self { newest } else { nil }
    }
}
