import Linden
import LindenKernel
import LindenReporting

/// All repairs, in the order in which they run.
extension Repair {
    /// - Parameter day: days since 1970 in UTC; nil for today, as far as it is counted.
    static func all(day: Int64?) -> [Repair] {
        [indexes, balances, pendingClicks, rollups(day), days(of: day), devices(day), linkDays(day), objectDays(day)]
    }

    /// Only if every problem is about an index: a damaged table has lost rows, which only a backup has.
    private static let indexes = Repair("storage.pages", from: "the rows of the tables") { reader in
        let problems = try reader.damage(within: nil) ?? []
        guard !problems.isEmpty, problems.allSatisfy({ $0.contains(" index ") }) else { return [] }
        return [Change(text: "All indexes are built again.") { try $0.rebuildIndexes() }]
    }

    /// Only if the entries themselves are sound.
    private static let balances = Repair("credits.balances", from: "the entries of each account") { reader in
        guard try reader.unbalancedCreditTransactions(limit: 1).problems.isEmpty,
            try reader.brokenCreditOrder(limit: 1).problems.isEmpty
        else { return [] }
        return try reader.balanceDifferences().filter { $0.sum >= 0 }.map { found in
            Change(text: "The balance of account \(found.account) becomes \(found.sum), from \(found.balance).") {
                try $0.setBalance(found.sum, of: found.account)
            }
        }
    }

    /// An entry of a click that is not in the log matches nothing.
    private static let pendingClicks = Repair("claims.clicks", from: "the log of clicks") { reader in
        try reader.pendingClicksWithoutClick().map { id in
            Change(text: "The entry of click \(id), which is not in the log, is removed.") { try $0.deletePendingClicks(of: id) }
        }
    }

    private static func rollups(_ day: Int64?) -> Repair {
        Repair("rollups.rows", from: "the rows of the day", checks: ["rollups.rows", "rollups.dimensions"]) { reader in
            try RollupChecks(reader: reader, day: day ?? reader.now.day).rowCorrections().rollups.map(correction)
        }
    }

    private static func days(of day: Int64?) -> Repair {
        Repair("rollups.days", from: "the hours of the day", checks: ["rollups.rows", "rollups.days", "rollups.dimensions"]) {
            reader in
            try RollupChecks(reader: reader, day: day ?? reader.now.day).dayCorrections().map(correction)
        }
    }

    private static func correction(_ rollup: Rollup) -> Change {
        let (key, figures) = (rollup.key, rollup.figures)
        let money = figures.revenue == MoneySum() ? "" : ", and its revenue by \(figures.revenue.text)"
        return Change(
            text: RollupChecks.place(key.scope, key.topic, key.dimension, key.unit, key.hour)
                + ", \"\(key.name)\" \"\(key.value)\": the counter changes by \(figures.count)\(money)."
        ) { try $0.add(figures, to: key) }
    }

    private static func devices(_ day: Int64?) -> Repair {
        Repair("rollups.devices", from: "the rows of the day") { reader in
            let checks = RollupChecks(reader: reader, day: day ?? reader.now.day)
            return try checks.deviceCorrections().corrections.map { key, count in
                let place = RollupChecks.place(key.scope, key.topic, key.dimension, .day, key.day * 24)
                let text = count.map { "the devices become \($0.devices)." } ?? "the count of no row is removed."
                return Change(text: "\(place), \"\(key.name ?? "")\" \"\(key.value)\": \(text)") { transaction in
                    if let count { try transaction.set([count]) } else { try transaction.removeDeviceCount(key) }
                }
            }
        }
    }

    private static func linkDays(_ day: Int64?) -> Repair {
        Repair("days.links", from: "the clicks and sessions of the day") { reader in
            let day = day ?? reader.now.day
            return try reader.linkDayDifferences(on: day).compactMap { found in
                let missing = found.correction
                guard missing != LinkStatistics() else { return nil }
                return Change(
                    text:
                        "The counters of link \(found.link) change by \(missing.clicks) clicks, \(missing.robots) visits of robots, "
                        + "\(missing.sessions) sessions and \(missing.installs) installs."
                ) { try $0.add(missing, to: LinkCountBatch.LinkDay(link: found.link, day: day)) }
            }
        }
    }

    private static func objectDays(_ day: Int64?) -> Repair {
        Repair("days.objects", from: "the clicks of the day") { reader in
            let day = day ?? reader.now.day
            return try reader.objectDayDifferences(on: day).map { found in
                Change(text: "The clicks of content \(found.object) become \(found.clicks), from \(found.counted).") {
                    transaction in
                    var missing = ObjectStatistics()
                    missing.clicks = found.clicks - found.counted
                    try transaction.count(missing, of: found.object, on: day)
                }
            }
        }
    }
}
