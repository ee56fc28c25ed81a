/// How far the counters have come while they are brought up to date.
package enum CountingProgress: Sendable {
    /// The daily counters of links have the rows up to a time.
    case links(until: Timestamp)
    /// The counters of apps have a log's rows up to a time.
    case rows(ActivityLog, until: Timestamp)
    /// The devices of a log's day, since 1970, are counted.
    case devices(ActivityLog, day: Int64)
}
