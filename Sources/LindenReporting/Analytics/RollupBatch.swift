import Linden
import LindenKernel
import OrderedCollections

/// The totals of log rows that are not counted yet, computed by a reader and added to the rollups by a writer.
package struct RollupBatch: Sendable {
    package let log: ActivityLog
    /// The state of the log when the batch was read.
    package let state: CountingState
    package let last: Int64
    package let sums: RollupSums

    package init(log: ActivityLog, state: CountingState, last: Int64, sums: RollupSums) {
        self.log = log
        self.state = state
        self.last = last
        self.sums = sums
    }
}

/// Totals by rollup key, in the order in which the keys first occurred.
package struct RollupSums: Sendable {
    private var figures: OrderedDictionary<Rollup.Key, AggregateTotals> = [:]
    private var sources: [Rollup.Key: Source] = [:]
    /// The totals of records that share all their keys, to be added to those of the keys.
    private var groups: [RollupGroup: (keys: [Rollup.Key], figures: AggregateTotals)] = [:]
    /// The same for the keys of visitors, of which there are few unless clients make them up.
    private var visitorGroups: [VisitorGroup: (keys: [Rollup.Key], figures: AggregateTotals)] = [:]

    /// The number of groups of a kind at which their totals are added to those of the keys. Each has about a kilobyte of keys, and a batch
    /// may have as many groups as rows.
    static let mostGroups = 1000

    /// The sources of a key's event name and value.
    private struct Source {
        let name: ValueSource
        var value: ValueSource
    }

    package init() {}

    /// The number of keys.
    package var count: Int { figures.count }

    /// The number of groups whose totals are held apart.
    var groupCount: Int { groups.count + visitorGroups.count }

    package mutating func add(_ activity: AnalyticsRecord) {
        if groups.count >= Self.mostGroups || visitorGroups.count >= Self.mostGroups { addGroups() }
        let group = RollupGroup(activity)
        if let known = groups.index(forKey: group) {
            groups.values[known].figures += activity.figures
        } else {
            let keys = activity.commonRollupKeys
            introduce(keys, of: activity)
            groups[group] = (keys, activity.figures)
        }
        guard activity.topic == .click else { return }
        let visitors = VisitorGroup(activity)
        if let known = visitorGroups.index(forKey: visitors) {
            visitorGroups.values[known].figures += activity.figures
        } else {
            let keys = activity.visitorRollupKeys
            introduce(keys, of: activity)
            visitorGroups[visitors] = (keys, activity.figures)
        }
    }

    /// Adds the totals of the groups to those of their keys, and removes the groups.
    private mutating func addGroups() {
        for (keys, totals) in Array(groups.values) + Array(visitorGroups.values) {
            for key in keys { figures[key, default: AggregateTotals()] += totals }
        }
        groups.removeAll(keepingCapacity: true)
        visitorGroups.removeAll(keepingCapacity: true)
    }

    /// Adds the keys of a group. Its first record stands for all of it: the keys keep their order and get their sources from it.
    private mutating func introduce(_ keys: [Rollup.Key], of activity: AnalyticsRecord) {
        for key in keys { add(AggregateTotals(), to: key, of: activity) }
    }

    /// Returns the source of the event name of the first record with this key.
    package func nameSource(of key: Rollup.Key) -> ValueSource { sources[key]?.name ?? .unknown }

    /// Returns the source of a key's value: ``ValueSource/app`` if it is that of any record, otherwise that of the first record.
    package func valueSource(of key: Rollup.Key) -> ValueSource { sources[key]?.value ?? .unknown }

    /// Adds totals of a record to those of a key.
    package mutating func add(_ more: AggregateTotals, to key: Rollup.Key, of activity: AnalyticsRecord) {
        let value = key.dimension.map(activity.source(of:)) ?? .unknown
        if figures[key] == nil {
            sources[key] = Source(name: activity.source(of: .name), value: value)
        } else if value == .app {
            sources[key]?.value = .app
        }
        figures[key, default: AggregateTotals()] += more
    }
}

extension RollupSums {
    /// Creates the changes to the rollups of a counted record that gets other values; nil if it is counted under the same keys. Totals
    /// without a dimension stay.
    package init?(moving before: AnalyticsRecord, to after: AnalyticsRecord) {
        guard before.rollupKeys != after.rollupKeys else { return nil }
        self.init()
        for key in before.rollupKeys where key.dimension != nil { add(-before.figures, to: key, of: before) }
        for key in after.rollupKeys where key.dimension != nil { add(after.figures, to: key, of: after) }
    }
}

extension RollupSums: Sequence {
    package func makeIterator() -> some IteratorProtocol<(key: Rollup.Key, value: AggregateTotals)> {
        var sums = self
        sums.addGroups()
        return sums.figures.makeIterator()
    }
}

/// What determines the keys of a record and the sources of their values, except for the visitor.
struct RollupGroup: Hashable {
    let scope: Scope
    let topic: Topic
    let hour: Int64
    let name: BytewiseText
    let link: Link.ID?
    let isByAd: Bool
    let isOfAuthenticatedLink: Bool
    let platform: BytewiseText
    let country: BytewiseText
    let labels: ActivityLabels

    init(_ activity: AnalyticsRecord) {
        scope = activity.scope
        topic = activity.topic
        hour = activity.hour
        name = BytewiseText(activity.name)
        link = activity.link
        isByAd = activity.isByAd
        isOfAuthenticatedLink = activity.isOfAuthenticatedLink
        platform = BytewiseText(activity.platform)
        country = BytewiseText(activity.country)
        labels = activity.labels
    }

    /// Leaves out the properties with few values. The labels follow from the link, except for long links, whose visitors make them up.
    func hash(into hasher: inout Hasher) {
        hasher.combine(scope)
        hasher.combine(hour)
        hasher.combine(link)
        hasher.combine(platform)
        hasher.combine(country)
        hasher.combine(name)
        if link == .long { hasher.combine(labels) }
    }
}

/// What determines the keys of a click's visitor.
private struct VisitorGroup: Hashable {
    let scope: Scope
    let day: Int64
    let visitor: ActivityVisitor

    init(_ activity: AnalyticsRecord) {
        scope = activity.scope
        day = activity.hour / 24
        visitor = activity.visitor
    }
}
