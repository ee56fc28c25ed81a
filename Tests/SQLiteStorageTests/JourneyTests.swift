import Foundation
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Testing

/// Funnels, cohorts and lifetime values of generated devices, compared with results that the test computes device by device.
@Suite struct JourneyTests {
    private struct Person {
        let device: Int64
        let link: Int64
        let click: Timestamp?
        let install: Timestamp
        var openings: [Timestamp] = []
        var purchases: [(time: Timestamp, revenue: Int64)] = []
    }

    private static let channels = ["mail", "sms"]
    private static let day: Int64 = 86_400_000

    @Test(arguments: [1, 2] as [UInt64])
    func journeysAreThoseOfEveryDeviceTogether(seed: UInt64) async throws {
        try await Installation.run { installation in
            var dice = Dice(seed: seed)
            let start = Timestamp(milliseconds: (installation.clock.now.milliseconds / Self.day + 1) * Self.day)
            let people = (1...300).map { Self.person(Int64($0), start, &dice) }
            try await Self.store(people, in: installation)
            // Every band has begun, including the fourth month.
            installation.clock.advance(by: .seconds(86400 * 140))
            try await installation.services.rollups.aggregate()

            let scope = Scope(app: Identifier(rawValue: 1), mode: .live)
            let span = try AnalyticsSpan(start: start, end: start + .seconds(86400 * 10))
            try await Self.expectFunnels(of: people, scope, span, installation)
            try await Self.expectCohorts(of: people, scope, span, installation)
            try await Self.expectValues(of: people, scope, span, installation)
            for unit in CohortReport.Unit.allCases {
                for (isCumulative, isPerUser) in [(false, false), (true, false), (false, true), (true, true)] {
                    try await Self.expectReport(
                        of: people, scope, span, installation, unit: unit, isCumulative: isCumulative, isPerUser: isPerUser)
                }
            }
        }
    }

    private static func person(_ number: Int64, _ start: Timestamp, _ dice: inout Dice) -> Person {
        func later(_ time: Timestamp, _ days: Int) -> Timestamp { time + .milliseconds(Int64(dice.roll(days * Int(day)))) }
        let begin = later(start - .seconds(86400), 12)
        let isOrganic = dice.roll(4) == 0
        // Some conversions take longer than the window.
        let install = isOrganic ? begin : later(begin, dice.roll(3) == 0 ? 20 : 2)
        var person = Person(
            device: number, link: Int64(1 + dice.roll(2)), click: isOrganic ? nil : begin, install: install)
        for _ in 0..<dice.roll(6) { person.openings.append(later(install, 12)) }
        for _ in 0..<dice.roll(3) { person.purchases.append((later(install, 25), Int64(dice.roll(500)) * 1_900_000_000_010_000)) }
        return person
    }

    private static func store(_ people: [Person], in installation: Installation) async throws {
        try await installation.sql { connection in
            try connection.execute("INSERT INTO apps (id, name, configuration, created_at, updated_at) VALUES (1, 'A', '{}', 1, 1)")
            try connection.execute(
                "INSERT INTO app_keys (branch_key, app_id, mode, secret_hash, created_at) VALUES ('k', 1, 0, \([UInt8]([1])), 1)")
            for (number, channel) in channels.enumerated() {
                try connection.execute(
                    """
                    INSERT INTO links (id, app_id, mode, host, path, has_alias, type, channel, data, creation_source, created_at, updated_at)
                    VALUES (\(number + 1), 1, 0, '', \(channel), 0, 0, \(channel), '{}', 0, 1, 1)
                    """)
            }
            var sequence: Int64 = 0
            func id(_ time: Timestamp) -> Int64 {
                sequence += 1
                return IDGenerator.first(at: time) + sequence % 4096
            }
            for person in people {
                try connection.execute(
                    """
                    INSERT INTO devices (id, app_id, mode, identity_id, hardware_since, advertising_since, os, country, first_seen_at, last_seen_at)
                    VALUES (\(person.device), 1, 0, 1, 1, 1, 'iOS', 'DE', 1, 1)
                    """)
                let click = person.click.map { id($0) }
                if let click {
                    try connection.execute(
                        """
                        INSERT INTO clicks (id, app_id, mode, link_id, address, platform)
                        VALUES (\(click), 1, 0, \(person.link), '203.0.113.7', 'ios')
                        """)
                }
                for (kind, time) in [(0, person.install)] + person.openings.map({ (1, $0) }) {
                    try connection.execute(
                        """
                        INSERT INTO sessions (id, app_id, mode, device_id, identity_id, kind, link_id, click_id, data, explanation)
                        VALUES (\(id(time)), 1, 0, \(person.device), 1, \(kind), \(kind == 0 && click != nil ? person.link : nil),
                            \(kind == 0 ? click : nil), '{}', '{"outcome": "organic", "reason": ""}')
                        """)
                }
                for purchase in person.purchases {
                    try connection.execute(
                        """
                        INSERT INTO events (id, app_id, mode, endpoint, name, device_id, body, revenue)
                        VALUES (\(id(purchase.time)), 1, 0, 'v2/event/standard', 'PURCHASE', \(person.device), '{}', \(purchase.revenue))
                        """)
                }
            }
        }
    }

    private static func expectFunnels(
        of people: [Person], _ scope: Scope, _ span: AnalyticsSpan, _ installation: Installation
    ) async throws {
        let window = 7
        let funnels = try await installation.services.analytics.funnels(
            try FunnelQuery(scope: scope, span: span, event: "PURCHASE", dimension: .channel, days: window))
        let length = Int64(window) * day
        for (number, channel) in channels.enumerated() {
            let clicked = people.filter { person in
                guard let click = person.click else { return false }
                return person.link == Int64(number + 1) && click >= span.start && click < span.end
            }
            let installed = clicked.filter { $0.install.milliseconds - $0.click!.milliseconds < length }
            let converted = installed.filter { person in
                person.purchases.contains { $0.time.milliseconds - person.install.milliseconds < length }
            }
            let waits = installed.map { $0.install.milliseconds - $0.click!.milliseconds }.sorted()
            #expect(
                funnels.first { $0.value == channel }
                    == Funnel(
                        value: channel, clicks: Int64(clicked.count), installs: Int64(installed.count),
                        converted: Int64(converted.count),
                        medianMillisecondsToInstall: waits[(waits.count - 1) / 2]))
        }
    }

    private static func expectCohorts(
        of people: [Person], _ scope: Scope, _ span: AnalyticsSpan, _ installation: Installation
    ) async throws {
        let cohorts = try await installation.services.analytics.cohorts(try CohortQuery(scope: scope, span: span, days: 5))
        #expect(cohorts.count == 10)
        for cohort in cohorts {
            let members = people.filter { $0.install >= cohort.day.start && $0.install < cohort.day.end }
            #expect(cohort.installs == Int64(members.count))
            let retained = (0...5).map { number in
                Int64(
                    members.filter { member in
                        ([member.install] + member.openings).contains { $0.day == cohort.day.start.day + Int64(number) }
                    }.count)
            }
            #expect(cohort.retained == retained)
        }
    }

    private static func expectValues(
        of people: [Person], _ scope: Scope, _ span: AnalyticsSpan, _ installation: Installation
    ) async throws {
        let values = try await installation.services.analytics.lifetimeValues(
            try LifetimeValueQuery(scope: scope, span: span, dimension: .channel, days: 14))
        for channel in channels + [""] {
            let members = people.filter { person in
                (person.click == nil ? "" : channels[Int(person.link) - 1]) == channel && person.install >= span.start
                    && person.install < span.end
            }
            let paid = members.map { member in
                member.purchases.filter { $0.time.milliseconds - member.install.milliseconds < 14 * day }
            }
            #expect(
                values.first { $0.value == channel }
                    == LifetimeValue(
                        value: channel, installs: Int64(members.count), payers: Int64(paid.filter { !$0.isEmpty }.count),
                        revenue: MoneySum(millionths: paid.flatMap { $0 }.reduce(0) { $0 + Int128($1.revenue) })))
        }
    }

    // MARK: Cohort reports

    private static func expectReport(
        of people: [Person], _ scope: Scope, _ span: AnalyticsSpan, _ installation: Installation, unit: CohortReport.Unit,
        isCumulative: Bool, isPerUser: Bool
    ) async throws {
        for measures in [
            ["OPEN", "users", "Retention"], ["revenue", "ARPU", "ARPPU"], ["LTV", "purchase of nothing", "PURCHASE"],
        ] {
            let report = try CohortReport(
                scope: scope, source: .install, span: span, asOf: installation.clock.now,
                measures: try measures.map { try CohortMeasure($0) }, unit: unit, bands: 4, isCumulative: isCumulative,
                isPerUser: isPerUser, groupings: [("channel", .by(.channel))])
            let rows =
                try JSON.parse(report.json(try await installation.services.analytics.rows(of: report), upTo: 1 << 20)).array ?? []
            #expect(rows.count == 9)
            for row in rows.compactMap(\.object) {
                let members = people.filter { person in
                    (person.click == nil ? nil : channels[Int(person.link) - 1]) == row["channel"]?.string
                        && person.install >= span.start
                        && person.install < span.end
                }
                #expect(row["users"] == .integer(Int64(members.count)))
                let measure = try #require(row["measure"]?.string)
                for band in 0..<4 {
                    let lowest = isCumulative || measure == "LTV" ? 0 : band
                    let expected = Self.value(of: measure, members, isPerUser: isPerUser) { person, time in
                        (lowest...band).contains(Self.band(of: time, since: person.install, unit))
                    }
                    let given = row["data"]?.object?["\(unit)\(band)"]?.scalarText.flatMap(Double.init) ?? -1
                    // A Double has 15 significant decimal digits.
                    #expect(
                        abs(given - expected) < max(0.000_002, abs(expected) * 1e-14),
                        "\(measure) in \(unit) \(band): \(given), not \(expected)")
                }
            }
        }
    }

    private static func value(
        of measure: String, _ members: [Person], isPerUser: Bool, _ isWanted: (Person, Timestamp) -> Bool
    ) -> Double {
        let users = Double(members.count)
        let opens = members.map { person in person.openings.filter { isWanted(person, $0) }.count }
        let seen = members.filter { person in ([person.install] + person.openings).contains { isWanted(person, $0) } }.count
        let purchases = members.map { person in person.purchases.filter { isWanted(person, $0.time) } }
        let revenue = Double(purchases.joined().reduce(Int128(0)) { $0 + Int128($1.revenue) }) / 1_000_000
        let payers = Double(purchases.filter { !$0.isEmpty }.count)
        switch measure {
        case "OPEN": return Double(opens.reduce(0, +)) / (isPerUser ? users : 1)
        case "users": return Double(seen) / (isPerUser ? users : 1)
        case "Retention": return Double(seen) / users
        case "revenue": return revenue / (isPerUser ? users : 1)
        case "ARPU", "LTV": return revenue / users
        // Without paying users there is no value.
        case "ARPPU": return payers == 0 ? -1 : revenue / payers
        case "PURCHASE": return Double(purchases.joined().count) / (isPerUser ? users : 1)
        default: return 0
        }
    }

    private static func band(of time: Timestamp, since install: Timestamp, _ unit: CohortReport.Unit) -> Int {
        let days = Int(time.day - install.day)
        switch unit {
        case .day: return days
        case .week: return days / 7
        case .month:
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .gmt
            func start(_ day: Int64) -> Date { Date(timeIntervalSince1970: Double(day * 86400)) }
            return calendar.dateComponents([.month], from: start(install.day), to: start(time.day)).month ?? -1
        }
    }
}
