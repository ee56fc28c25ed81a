import Connections
import Foundation
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import PrometheusMetrics
import SQLStorage
import SQLiteStorage
import Server

/// The values that a server knows already, and that metrics show when they are read.
struct MetricsSources: Sendable {
    let services: Services
    let storage: any SQLDatabase
    let settings: Settings
    let requestLog: RequestLog?
    let certificate: TLSCertificate?
    /// Nil if the server uploads no backups.
    let uploads: UploadRecord?
    private let workload = SecondCache<Workload>()

    func register(in registry: PrometheusRegistry) {
        let process = ProcessSources(startedAt: services.clock.now())
        registry.collect { process.samples }
        registry.collect { limits + storageSamples + caches + backups + uploadedBackups + certificates }
        registry.collect { await work() }
    }

    private var limits: [MetricSample] {
        // A limit without refusals has no series, but the one of the disk is always there for the alert.
        let refused = services.refusals.totals.merging([.diskSpace: 0]) { known, _ in known }.map { refusal, count in
            MetricSample("linden_limits_refused_total", count, [("setting", refusal.setting), ("owner", refusal.ownerName)])
        }
        let dropped = requestLog.map { [MetricSample("linden_request_log_dropped_total", $0.dropped)] } ?? []
        return refused.sorted { $0.labels.map(\.1).joined() < $1.labels.map(\.1).joined() } + dropped
            + [
                MetricSample("linden_connections_limit", settings.connections.connections),
                MetricSample("linden_clicks_unrecorded_total", services.clicks.unrecordedCount),
                MetricSample("linden_build_info", 1, [("version", LindenVersion.description)]),
            ]
    }

    private var storageSamples: [MetricSample] {
        let files = settings.database.files
        let known: [(String, Int64?)] = [
            ("linden_database_bytes", files?.bytes), ("linden_wal_bytes", files.map { $0.logBytes ?? 0 }),
            ("linden_disk_free_bytes", settings.database.path.flatMap { DiskMonitor.freeBytes(at: $0) }),
        ]
        return known.compactMap { name, value in value.map { MetricSample(name, $0) } }
            + [
                MetricSample("linden_disk_minimum_free_bytes", settings.minimumFreeDisk),
                MetricSample("linden_write_queue_depth", storage.waitingWrites),
                MetricSample("linden_write_stall_seconds", storage.writeStall.inSeconds),
                MetricSample("linden_write_problem", storage.writeProblem == nil ? 0 : 1),
                MetricSample("linden_database_damaged", storage.health.isDamaged ? 1 : 0),
                MetricSample("linden_leader", storage.isLeader ? 1 : 0),
            ]
    }

    private var caches: [MetricSample] {
        let links = services.clicks.links
        let uses = [("links", links.cacheUse), ("visitors", services.clicks.visitors.use)]
        return uses.flatMap { name, use in
            [
                MetricSample("linden_cache_hits_total", use.hits, [("cache", name)]),
                MetricSample("linden_cache_misses_total", use.misses, [("cache", name)]),
            ]
        } + [MetricSample("linden_cache_bytes", links.cachedBytes, [("cache", "links")])]
    }

    private var backups: [MetricSample] {
        guard settings.backup.folder != nil, let every = settings.backup.every else { return [] }
        let interval = MetricSample("linden_backup_interval_seconds", every.inSeconds)
        guard let newest = try? settings.files.newestBackup() else { return [interval] }
        return [
            interval, MetricSample("linden_backup_last_success_timestamp_seconds", newest.time.seconds),
            MetricSample("linden_backup_bytes", newest.bytes),
        ]
    }

    private var uploadedBackups: [MetricSample] {
        guard let totals = uploads?.totals else { return [] }
        let newest = totals.newest.map { MetricSample("linden_backup_uploaded_timestamp_seconds", $0.seconds) }
        return [MetricSample("linden_backup_upload_failures_total", totals.failures)] + (newest.map { [$0] } ?? [])
    }

    private var certificates: [MetricSample] {
        guard let certificate else { return [] }
        return [MetricSample("linden_tls_certificate_expiry_timestamp_seconds", certificate.expiresAt.timeIntervalSince1970)]
    }

    /// Nothing if the database cannot be read, or not soon, which ``HealthRoutes`` tells.
    private func work() async -> [MetricSample] {
        let read = try? await workload.value(
            at: services.clock.now(), within: .seconds(2), orFail: .unavailable("The database does not answer.")
        ) { [system = services.system] in try await system.workload() }
        guard let workload = read else { return [] }
        return ActivityLog.allCases.map { log in
            MetricSample("linden_aggregation_lag_seconds", (workload.countingLag[log] ?? .zero).inSeconds, [("log", log.rawValue)])
        } + [
            MetricSample("linden_jobs_waiting", workload.exports, [("kind", "export")]),
            MetricSample("linden_jobs_waiting", workload.erasures, [("kind", "erasure")]),
        ]
    }
}

extension Refusal {
    /// What the limit counts by; empty for one of all calls.
    fileprivate var ownerName: String {
        switch self {
        case .rate(_, let owner), .longQuery(let owner): owner.rawValue
        case .diskSpace: ""
        }
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
