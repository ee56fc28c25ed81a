import Linden
import LindenKernel
import LindenReporting

/// The work that a server has yet to do in the background.
package struct Workload: Sendable, Equatable {
    /// The age of the oldest row of each log that its totals do not include; zero if there is none.
    package let countingLag: [ActivityLog: Duration]
    /// The exports that are not done.
    package let exports: Int
    /// The erasures that are not done.
    package let erasures: Int
}

extension SystemService {
    package func workload() async throws -> Workload {
        let now = clock.now()
        return try await storage.read { reader in
            var lag: [ActivityLog: Duration] = [:]
            for log in ActivityLog.allCases {
                let oldest = try reader.oldestUncountedRow(of: log)
                lag[log] = .milliseconds(max(0, oldest.map { now.milliseconds - $0.milliseconds } ?? 0))
            }
            return Workload(
                countingLag: lag, exports: try reader.queuedExportJobs(), erasures: try reader.queuedSubjectRequests())
        }
    }
}
