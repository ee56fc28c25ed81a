import Linden

/// The daily counts of log rows that are not counted yet, computed by a reader and added to the daily counters by a writer.
package struct LinkCountBatch: Sendable {
    /// The key of a link's daily counters; the day in days since 1970, in UTC.
    package struct LinkDay: Hashable, Sendable {
        package let link: Link.ID
        package let day: Int64

        package init(link: Link.ID, day: Int64) {
            self.link = link
            self.day = day
        }
    }

    /// An hour of an app, counted since 1970 in UTC.
    package struct AppHour: Hashable, Sendable {
        package let scope: Scope
        package let hour: Int64

        package init(scope: Scope, hour: Int64) {
            self.scope = scope
            self.hour = hour
        }
    }

    /// The clicks of links to a content object on a day.
    package struct ObjectClicks: Sendable {
        package let object: UniversalObject.ID
        package let day: Int64
        package let clicks: Int64

        package init(object: UniversalObject.ID, day: Int64, clicks: Int64) {
            self.object = object
            self.day = day
            self.clicks = clicks
        }
    }

    package let log: ActivityLog
    /// The state of the log when the batch was read.
    package let state: CountingState
    /// The last id that was read.
    package let last: Int64
    package let links: [LinkDay: LinkStatistics]
    package let objects: [ObjectClicks]
    /// The visits of robots, on long links too.
    package let robots: [AppHour: Int64]

    package init(
        log: ActivityLog, state: CountingState, last: Int64, links: [LinkDay: LinkStatistics], objects: [ObjectClicks],
        robots: [AppHour: Int64] = [:]
    ) {
        self.robots = robots
        self.log = log
        self.state = state
        self.last = last
        self.links = links
        self.objects = objects
    }
}
