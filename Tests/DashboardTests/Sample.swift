import Linden
import LindenKernel

@testable import Dashboard

/// The app, and the moment, of the tests of pages as values.
enum Sample {
    static let scope = Scope(app: Identifier(rawValue: 7), mode: .live)
    /// 2027-01-15 08:00 UTC.
    static let time = Timestamp(milliseconds: 1_800_000_000_000)
    /// The first id of that moment.
    static let id = IDGenerator.first(at: time)
    static let path = "/dashboard/apps/7"

    static let app = AppContext(
        app: App(id: scope.app, name: "Orchard", configuration: AppConfiguration(), createdAt: time),
        key: AppKey(branchKey: "key_live_x", scope: scope, secretHash: []), formerSecrets: [], domains: [], routes: [])
}

extension PageView {
    var tables: [Table] { blocks.compactMap(\.table) + blocks.compactMap(\.tables).flatMap(\.tableList) }

    func table(_ caption: String) -> Table? { tables.first { $0.caption == caption } }
}

extension [Block] {
    var cards: [Card] { compactMap(\.cards).flatMap(\.cardList) }
    var facts: [Facts.Fact] { compactMap(\.facts).flatMap(\.factList) }
}

extension Table {
    /// The texts of the rows.
    var texts: [[String]] { rows.map { $0.cells.map(\.cellText) } }
}
