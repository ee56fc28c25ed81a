import Linden
import LindenReporting

/// The counters of a link on a day that are not what its rows add up to.
package struct LinkDayDifference: Sendable {
    package let link: Link.ID
    package let rows: LinkStatistics
    package let counted: LinkStatistics
    /// Whether counted rows of the link's app were erased on that day.
    package let isErased: Bool

    package init(link: Link.ID, rows: LinkStatistics, counted: LinkStatistics, isErased: Bool) {
        self.link = link
        self.rows = rows
        self.counted = counted
        self.isErased = isErased
    }

    /// What to add to the counters. Those that erased rows may explain are only raised to the rows that are there.
    var correction: LinkStatistics {
        func missing(_ counter: KeyPath<LinkStatistics, Int64>) -> Int64 {
            let missing = rows[keyPath: counter] - counted[keyPath: counter]
            return isErased ? max(0, missing) : missing
        }
        return LinkStatistics(
            clicks: missing(\.clicks), robots: missing(\.robots), sessions: missing(\.sessions), installs: missing(\.installs))
    }
}

/// The clicks of a content object on a day, and its counter of them, which differs.
package struct ObjectDayDifference: Sendable {
    package let object: UniversalObject.ID
    package let clicks: Int64
    package let counted: Int64

    package init(object: UniversalObject.ID, clicks: Int64, counted: Int64) {
        self.object = object
        self.clicks = clicks
        self.counted = counted
    }
}

/// The balance of an account, and the sum of its entries, which differs.
package struct BalanceDifference: Sendable {
    package let account: Int64
    package let balance: Int64
    package let sum: Int64

    package init(account: Int64, balance: Int64, sum: Int64) {
        self.account = account
        self.balance = balance
        self.sum = sum
    }
}

/// What can be derived again, and differs from what is stored.
package protocol RepairReader {
    /// One for each link and log, clicks or sessions.
    func linkDayDifferences(on day: Int64) throws -> [LinkDayDifference]
    func objectDayDifferences(on day: Int64) throws -> [ObjectDayDifference]
    func balanceDifferences() throws -> [BalanceDifference]
    /// Returns the ids of clicks that can be matched and are not in the log. Leaves out those that were deleted for their age.
    func pendingClicksWithoutClick() throws -> [Int64]
}

package protocol RepairRepository: RepairReader {
    func rebuildIndexes() throws
    func setBalance(_ balance: Int64, of account: Int64) throws
    func deletePendingClicks(of click: Int64) throws
    /// Adds to a rollup, also a negative number.
    func add(_ figures: AggregateTotals, to key: Rollup.Key) throws
    func removeDeviceCount(_ key: DeviceCount.Key) throws
    /// Adds to the daily counters of a link, also negative numbers.
    func add(_ counts: LinkStatistics, to key: LinkCountBatch.LinkDay) throws
}
