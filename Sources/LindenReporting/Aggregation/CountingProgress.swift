import LindenKernel

/// The progress of aggregation, reported after each batch.
package enum CountingProgress: Sendable {
    /// The daily counters of links include the rows up to a time.
    case links(until: Timestamp)
    /// The counters of apps include a log's rows up to a time.
    case rows(ActivityLog, until: Timestamp)
    /// The devices of one day of a log are counted; days since 1970.
    case devices(ActivityLog, day: Int64)
}
