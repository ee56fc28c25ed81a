import Connections
import Foundation
import Logging
import Server

/// The process's limit of open files, which includes connections.
enum FileDescriptors {
    /// Raises the limit as far as the system allows, and lowers the number of connections to what fits, at least 16. The reserved
    /// descriptors stay free: a process without any can neither respond nor write.
    static func makeRoom(for limits: ConnectionLimits, logger: Logger) -> ConnectionLimits {
        let allowed = raised(to: limits.connections + ConnectionLimits.reservedDescriptors)
        let room = max(16, allowed - ConnectionLimits.reservedDescriptors)
        guard room < limits.connections else { return limits }
        logger.warning(
            "The system allows fewer connections than http.max_connections.",
            metadata: ["max_connections": "\(limits.connections)", "allowed": "\(room)", "open_files": "\(allowed)"])
        var limits = limits
        limits.connections = room
        return limits
    }

    /// Raises the soft limit to `wanted`, at most to the hard limit, and returns it.
    private static func raised(to wanted: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        if limit.rlim_cur < wanted {
            var higher = limit
            higher.rlim_cur = min(limit.rlim_max, rlim_t(wanted))
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &higher) == 0 { limit = higher }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
