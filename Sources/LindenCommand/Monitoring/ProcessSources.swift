import Foundation
import LindenKernel
import PrometheusMetrics

/// The figures of this process that every client of Prometheus has. What the system does not tell is left out.
struct ProcessSources: Sendable {
    let startedAt: Timestamp

    var samples: [MetricSample] {
        let values: [(String, Double?)] = [
            ("process_start_time_seconds", Double(startedAt.milliseconds) / 1000),
            ("process_resident_memory_bytes", Self.residentBytes), ("process_cpu_seconds_total", Self.cpuSeconds),
            ("process_open_fds", Self.openFiles), ("process_max_fds", Self.mostFiles),
        ]
        return values.compactMap { name, value in value.map { MetricSample(name, $0) } }
    }

    private static var residentBytes: Double? {
        guard let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " "), pages.count > 1
        else { return nil }
        return Double(pages[1]).map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) }
    }

    private static var cpuSeconds: Double? {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return nil }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static var openFiles: Double? {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { Double($0.count) }
    }

    private static var mostFiles: Double? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Double(limit.rlim_cur)
    }
}
