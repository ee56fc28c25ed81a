import Linden
import LindenKernel

/// The point up to which the logs are settled: no row before it will be committed later.
package enum Watermark {
    /// The delay behind the clock, far longer than a transaction takes from its first id to its commit. Other processes generate ids too.
    private static let lag: Duration = .seconds(2)

    /// Returns the watermark at a moment: the time up to which all rows have been committed.
    package static func settled(at now: Timestamp) -> Timestamp { now - lag }
}

extension ExportService {
    /// Returns the exact watermark: an id above those of all existing rows and not above those of later ones. It needs no lag, because ids
    /// are generated within write transactions, which run one at a time, and this is one: it makes an id that no row has.
    func watermark() async throws -> Int64 {
        try await storage.write { try $0.newID(Click.self).rawValue }
    }

    /// Returns the exact watermark of at most a second ago. It is determined once a second, regardless of the number of listeners.
    func recentWatermark() async throws -> Int64 {
        try await cachedWatermark.value(at: clock.now()) { try await watermark() }
    }
}
