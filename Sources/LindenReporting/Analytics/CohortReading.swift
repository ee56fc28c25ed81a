import Foundation
import Linden
import LindenKernel

/// A consistent view of the data, as far as cohorts need it.
package protocol CohortReader: AnalyticsReader, DeviceJourneyReader, SnapshotReader {}

/// Reads the members of cohorts, and what they did in each band.
final class CohortReading {
    private struct Member {
        /// The session that made the device a member.
        let session: Int64
        let day: Int64
        /// The index of the member's groups in ``groupLists``.
        let groupList: Int
    }

    private struct GroupListKey: Hashable {
        /// The index of the combinations of values of a session.
        let combinations: Int
        let day: Int64
    }

    /// A group of members with equal values of the groupings.
    struct Group {
        let values: [String]
        var users: Int64 = 0
        /// The day of the first member's session.
        var firstDay: Int64
    }

    private let report: CohortReport
    private let reader: any CohortReader
    private let span: AnalyticsSpan
    private let asOf: Timestamp
    private var months = MonthStarts()
    private(set) var groups: [Group] = []
    /// Lists of indices of ``groups``, which many members share. A list has several if a dimension has a list of values.
    private var groupLists: [[Int]] = []
    private var members: [Device.ID: Member] = [:]

    private let limit: CohortLimit

    /// - Parameter rowLimit: the maximum number of sessions to read; beyond it, and beyond the limit of what is held, the initializer fails
    ///   with `invalid`.
    init(_ report: CohortReport, from reader: any CohortReader, rowLimit: Int, limit: CohortLimit) throws {
        self.limit = limit
        self.report = report
        self.reader = reader
        span = report.sessions.span
        asOf = min(report.sessions.asOf ?? reader.now, reader.now)
        try readMembers(rowLimit: rowLimit)
    }

    private func readMembers(rowLimit: Int) throws {
        var first: [Device.ID: (session: Int64, combinations: Int)] = [:]
        var combinations: [[GroupValues]] = []
        var known: [[GroupValues]: Int] = [:]
        var valueLimit = GroupLimit()
        let rows = ActivityReading(of: report.sessions, from: reader, rowLimit: rowLimit)
        try rows.visit(.sessions, span.start..<span.end) { activity, values in
            guard !values.isEmpty, let device = activity.actor.map(Device.ID.init(rawValue:)) else { return }
            guard first[device].map({ activity.id < $0.session }) ?? true else { return }
            let index = known[values] ?? combinations.count
            if index == combinations.count {
                known[values] = index
                combinations.append(values)
                try valueLimit.check(combinations.count, after: index, adding: values)
            }
            first[device] = (activity.id, index)
            try limit.check(devices: first.count)
        }
        try form(first, combinations)
    }

    /// Forms the groups of devices.
    private func form(_ first: [Device.ID: (session: Int64, combinations: Int)], _ combinations: [[GroupValues]]) throws {
        var places: [GroupValues: Int] = [:]
        var lists: [GroupListKey: Int] = [:]
        for (device, found) in first.sorted(by: { $0.value.session < $1.value.session }) {
            let day = span.day(of: IDGenerator.time(of: found.session))
            let key = GroupListKey(combinations: found.combinations, day: day)
            let list = lists[key] ?? groupLists.count
            if list == groupLists.count {
                let indices = combinations[found.combinations].map { values in
                    let values = GroupValues(report.values(values.texts, day: day))
                    let place = places[values] ?? groups.count
                    if place == groups.count {
                        places[values] = place
                        groups.append(Group(values: values.texts, firstDay: day))
                    }
                    return place
                }
                lists[key] = list
                groupLists.append(Array(Set(indices)))
                try limit.check(cohorts: groups.count, of: report)
            }
            for index in groupLists[list] { groups[index].users += 1 }
            members[device] = Member(session: found.session, day: day, groupList: list)
        }
    }

    // MARK: Bands and tallies

    /// Returns the end of the ids to read: that of the last member's last band, limited by `asOf`.
    private func lastID() -> Int64 {
        let lastDay = span.day(of: span.end) + 1
        let days = months.start(of: report.bands, report.unit, since: lastDay) - lastDay
        return IDGenerator.first(at: min(span.end + .seconds(86400 * (days + 1)), asOf))
    }

    /// Returns the tally of a measure for each group.
    func tallies(of kind: CohortMeasure.Kind) throws -> [CohortTally] {
        var tallies = groups.map { _ in CohortTally(bands: report.bands) }
        var lastBands: [Device.ID: Int] = [:]
        let (first, end) = (IDGenerator.first(at: span.start), lastID())
        func add(_ id: Int64, _ device: Device.ID, _ revenue: Money? = nil) {
            guard let member = members[device], id >= member.session,
                let band = band(of: span.day(of: IDGenerator.time(of: id)), since: member.day)
            else { return }
            let last = lastBands[device]
            lastBands[device] = band
            for group in groupLists[member.groupList] {
                tallies[group].add(revenue, in: band, isNewInBand: last != band, isNew: last == nil)
            }
        }
        switch kind {
        case .opens:
            try reader.openings(of: report.sessions.scope, from: first, before: end) { session, device, kind in
                if kind == .open || kind == .reinstall { add(session.rawValue, device) }
            }
        case .users, .retention:
            try reader.openings(of: report.sessions.scope, from: first, before: end) { session, device, _ in
                add(session.rawValue, device)
            }
        case .revenue, .revenuePerUser, .revenuePerPayer, .lifetimeValue:
            try reader.payments(of: report.sessions.scope, from: first, before: end) { add($0.rawValue, $1, $2) }
        case .event(let name):
            let names = try reader.storedNames(of: EventName(name), in: report.sessions.scope)
            try reader.events(named: names, of: report.sessions.scope, from: first, before: end) { add($0.rawValue, $1) }
        case .cost: break
        }
        return tallies
    }

    /// Returns the number of bands that have begun for at least one member of a group.
    func bandsBegun(of group: Group) -> Int {
        let today = span.day(of: asOf)
        return (0..<report.bands).first { months.start(of: $0, report.unit, since: group.firstDay) > today } ?? report.bands
    }

    /// Returns the band of a day; nil if it is beyond the last band.
    private func band(of day: Int64, since first: Int64) -> Int? {
        let days = Int(day - first)
        let band: Int
        switch report.unit {
        case .day: band = days
        case .week: band = days / 7
        case .month:
            // No month is shorter than 28 days, so this is the right band or a later one.
            var month = days / 28
            while month > 0, months.start(of: month, .month, since: first) > day { month -= 1 }
            band = month
        }
        return band < report.bands ? band : nil
    }
}

/// The first days of bands, with those of months cached.
private struct MonthStarts {
    private struct Key: Hashable {
        let first: Int64
        let band: Int
    }

    private var known: [Key: Int64] = [:]
    private let calendar = Calendar.gregorian(in: .gmt)

    mutating func start(of band: Int, _ unit: CohortReport.Unit, since first: Int64) -> Int64 {
        switch unit {
        case .day: return first + Int64(band)
        case .week: return first + Int64(band) * 7
        case .month:
            let key = Key(first: first, band: band)
            if let day = known[key] { return day }
            let date = Date(timeIntervalSince1970: Double(first) * 86400)
            let day = calendar.date(byAdding: .month, value: band, to: date).map { Int64($0.timeIntervalSince1970) / 86400 }
            known[key] = day ?? first + Int64(band) * 30
            return known[key]!
        }
    }
}

/// Totals of the members of one group, one element for each band.
struct CohortTally {
    private(set) var counts: [Int64]
    /// The number of members that acted in the band.
    private(set) var devices: [Int64]
    /// The number of members whose first action is in the band.
    private(set) var newDevices: [Int64]
    private(set) var revenue: [MoneySum]

    init(bands: Int) {
        counts = Array(repeating: 0, count: bands)
        devices = counts
        newDevices = counts
        revenue = Array(repeating: MoneySum(), count: bands)
    }

    mutating func add(_ more: Money?, in band: Int, isNewInBand: Bool, isNew: Bool) {
        counts[band] += 1
        if isNewInBand { devices[band] += 1 }
        if isNew { newDevices[band] += 1 }
        revenue[band] += MoneySum(more)
    }
}
