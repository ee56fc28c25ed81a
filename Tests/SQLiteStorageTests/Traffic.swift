import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Testing

/// Generated clicks, sessions and events of two apps, with a record of each for the test's own counts.
struct Traffic: Sendable {
    struct Fact: Sendable {
        let time: Timestamp
        let scope: Scope
        let topic: Topic
        let values: [Dimension: String]
        let actor: Int
        let revenue: Int64
    }

    var dice: Dice
    private(set) var facts: [Fact] = []

    static let scopes = [
        Scope(app: Identifier(rawValue: 1), mode: .live), Scope(app: Identifier(rawValue: 1), mode: .test),
        Scope(app: Identifier(rawValue: 2), mode: .live),
    ]
    private static let channels = ["mail", "sms", ""]
    private static let countries = ["DE", "FR", ""]
    private static let systems = ["iOS", "Android"]
    private static let languages = ["de", nil]
    private static let referrers = ["news.example", "blog.example", nil]
    private static let names = ["PURCHASE", "VIEW_ITEM", "LOGIN", "cheered"]

    init(seed: UInt64) {
        dice = Dice(seed: seed)
    }

    /// Inserts two apps, a link for each channel of each scope, and devices, unless they exist.
    private func prepare(_ installation: Installation) async throws {
        try await installation.sql { connection in
            guard try !connection.hasRows("SELECT 1 FROM apps") else { return }
            for app in 1...2 {
                try connection.execute(
                    "INSERT INTO apps (id, name, configuration, created_at, updated_at) VALUES (\(app), 'A', '{}', 1, 1)")
            }
            for (side, scope) in Self.scopes.enumerated() {
                try connection.execute(
                    """
                    INSERT INTO app_keys (branch_key, app_id, mode, secret_hash, created_at)
                    VALUES (\("key \(side)"), \(scope.app), \(scope.mode), \([UInt8](arrayLiteral: 1)), 1)
                    """)
                for (number, channel) in Self.channels.enumerated() {
                    try connection.execute(
                        """
                        INSERT INTO links (id, app_id, mode, host, path, has_alias, type, channel, feature, data, creation_source,
                            created_at, updated_at)
                        VALUES (\(side * 10 + number + 1), \(scope.app), \(scope.mode), '', \("\(side)-\(number)"), 0, 0,
                            \(channel.isEmpty ? nil : channel), 'share', '{}', 0, 1, 1)
                        """)
                }
                for number in 0..<6 {
                    try connection.execute(
                        """
                        INSERT INTO devices (id, app_id, mode, identity_id, hardware_since, advertising_since, os, country, first_seen_at, last_seen_at)
                        VALUES (\(side * 10 + number + 1), \(scope.app), \(scope.mode), 1, 1, 1, \(Self.systems[number % 2]),
                            \(Self.countries[number % 3].isEmpty ? nil : Self.countries[number % 3]), 1, 1)
                        """)
                }
            }
        }
    }

    /// Generates `count` requests over the next hours, including some robots and changes of identity, which are not counted.
    mutating func happen(_ count: Int, in installation: Installation) async throws {
        try await prepare(installation)
        for _ in 0..<count {
            installation.clock.advance(by: .milliseconds(Int64(dice.roll(90_000))))
            let side = dice.roll(Self.scopes.count), number = dice.roll(Self.channels.count), device = dice.roll(6)
            let scope = Self.scopes[side], link = Link.ID(rawValue: Int64(side * 10 + number + 1))
            let deviceID = Device.ID(rawValue: Int64(side * 10 + device + 1))
            let labels: [Dimension: String] = [
                .channel: Self.channels[number], .campaign: "", .feature: "share", .link: link.description, .name: "",
            ]
            let noLabels: [Dimension: String] = [.channel: "", .campaign: "", .feature: "", .link: "", .name: ""]
            // Not attributed to a link.
            let isOrganic = dice.roll(4) == 0
            let reported: [Dimension: String] = [
                .platform: Self.systems[device % 2].lowercased(), .country: Self.countries[device % 3],
            ]
            switch dice.roll(3) {
            case 0: try await click(scope, link, device, labels.merging(reported) { $1 }, installation)
            case 1:
                try await session(
                    scope, isOrganic ? nil : link, deviceID, device, (isOrganic ? noLabels : labels).merging(reported) { $1 },
                    installation)
            default:
                try await event(
                    scope, isOrganic ? nil : link, deviceID, device, (isOrganic ? noLabels : labels).merging(reported) { $1 },
                    installation)
            }
        }
    }

    private mutating func remember(
        _ topic: Topic, _ scope: Scope, _ values: [Dimension: String], _ actor: Int, revenue: Int64 = 0,
        _ installation: Installation
    ) {
        var values = values
        values[.attributed] = String(values[.link] != "")
        if let name = topic.builtInName { values[.name] = name }
        let os = values[.platform]?.uppercased() ?? ""
        values[.os] = os
        values[.userPlatform] = os + (topic == .click || topic == .webSession ? "_WEB" : "_APP")
        facts.append(
            Fact(time: installation.clock.now, scope: scope, topic: topic, values: values, actor: actor, revenue: revenue))
    }

    private mutating func click(
        _ scope: Scope, _ link: Link.ID, _ device: Int, _ values: [Dimension: String], _ installation: Installation
    ) async throws {
        let isRobot = dice.roll(5) == 0
        // Some are on long links, which carry their own labels.
        let isLong = dice.roll(4) == 0
        var values = values
        if isLong { values.merge([.channel: "social", .campaign: "spring", .feature: "", .link: "0"]) { $1 } }
        let (language, referrer, isInstagram) = (Self.languages[device % 2], Self.referrers[device % 3], device == 5)
        values.merge([
            .browser: isInstagram ? "Instagram" : "Samsung Internet", .language: language?.uppercased() ?? "",
            .referrer: referrer ?? "",
        ]) { $1 }
        try await installation.storage.write { [values] transaction in
            try transaction.insert(
                Click(
                    id: try transaction.newID(), link: isLong ? .long : link, scope: scope,
                    visitor: Visitor(
                        platform: values[.platform] == "ios" ? .iOS : .android, os: Self.systems[device % 2],
                        browser: isInstagram ? nil : WebBrowser(.samsungInternet, version: "25"),
                        inAppBrowser: isInstagram ? .instagram : nil,
                        country: values[.country].flatMap { $0.isEmpty ? nil : $0 },
                        robot: isRobot ? RobotReason.allCases.first : nil),
                    address: "203.0.113.7", userAgent: "Browser/1", referrer: nil, referrerHost: referrer,
                    query: isLong ? "channel=social&campaign=spring" : nil, reason: nil,
                    browser: Browser.ID(rawValue: Int64(device + 1000)), language: language,
                    longLink: isLong ? LongLinkRecord(labels: Labels(channel: "social", campaign: "spring")) : nil))
        }
        if !isRobot { remember(.click, scope, values, device, installation) }
    }

    private mutating func session(
        _ scope: Scope, _ link: Link.ID?, _ device: Device.ID, _ actor: Int, _ values: [Dimension: String],
        _ installation: Installation
    ) async throws {
        let kind = dice.pick([.install, .open, .web, .userChange, .reinstall, .fullAppConversion] as [Session.Kind])
        try await installation.storage.write { transaction in
            _ = try transaction.insert(
                Session(
                    id: try transaction.newID(), scope: scope, device: device, identity: Identifier(rawValue: 1), kind: kind,
                    link: link, click: nil, data: [:], explanation: StoredDecision(outcome: .organic, reason: "")))
        }
        let topics: [Session.Kind: Topic] = [
            .install: .install, .fullAppConversion: .install, .open: .open, .web: .webSession, .reinstall: .reinstall,
        ]
        if let topic = topics[kind] { remember(topic, scope, values, actor, installation) }
    }

    private mutating func event(
        _ scope: Scope, _ link: Link.ID?, _ device: Device.ID, _ actor: Int, _ values: [Dimension: String],
        _ installation: Installation
    ) async throws {
        let name = dice.pick(Self.names)
        // The sum of ten of the larger amounts exceeds 64 bits.
        let revenue: Int64? = name == "PURCHASE" ? Int64(dice.roll(100)) * 10_000_000_000_000_250 : nil
        try await installation.sql { connection in
            let id = try connection.first("SELECT COALESCE(MAX(id), 0) FROM events") { $0.integer(0) } ?? 0
            try connection.execute(
                """
                INSERT INTO events (id, app_id, mode, endpoint, kind, name, device_id, touch_link_id, body, revenue)
                VALUES (\(max(id + 1, IDGenerator.first(at: installation.clock.now))), \(scope.app), \(scope.mode),
                    \(name == "cheered" ? "v2/event/custom" : "v2/event/standard"),
                    \((StandardEvent(rawValue: name)?.kind ?? .custom).rawValue), \(name), \(device), \(link), '{}', \(revenue))
                """)
        }
        let topics: [String: Topic] = ["PURCHASE": .commerceEvent, "VIEW_ITEM": .contentEvent, "LOGIN": .userLifecycleEvent]
        remember(
            topics[name] ?? .customEvent, scope, values.merging([.name: name]) { $1 }, actor, revenue: revenue ?? 0, installation)
    }

    /// Inserts an event of each name, credited to a link of each campaign, from one of two devices.
    func send(_ names: [String], campaigns: Range<Int>, device: Int64, in installation: Installation) async throws {
        try await prepare(installation)
        let scope = Self.scopes[0]
        try await installation.sql { connection in
            var id = try connection.first("SELECT COALESCE(MAX(id), 0) FROM events") { $0.integer(0) } ?? 0
            id = max(id, IDGenerator.first(at: installation.clock.now))
            for campaign in campaigns {
                let link = Int64(1000 + campaign)
                try connection.execute(
                    """
                    INSERT INTO links (id, app_id, mode, host, path, has_alias, type, campaign, data, creation_source, created_at, updated_at)
                    VALUES (\(link), \(scope.app), \(scope.mode), '', \("c\(campaign)"), 0, 0, \("campaign \(campaign)"), '{}', 0, 1, 1)
                    ON CONFLICT DO NOTHING
                    """)
                for name in names {
                    id += 1
                    try connection.execute(
                        """
                        INSERT INTO events (id, app_id, mode, endpoint, kind, name, device_id, touch_link_id, body)
                        VALUES (\(id), \(scope.app), \(scope.mode), 'v2/event/custom', \(EventKind.custom.rawValue), \(name),
                            \(device), \(link), '{}')
                        """)
                }
            }
        }
    }

    /// Inserts one click on a long link for each campaign.
    func click(
        _ campaigns: [String], from address: String = "203.0.113.7", site: Int64? = nil, in installation: Installation
    ) async throws {
        try await prepare(installation)
        try await installation.storage.write { transaction in
            for campaign in campaigns {
                try transaction.insert(
                    Click(
                        id: try transaction.newID(), link: .long, scope: Self.scopes[0], visitor: Visitor(platform: .desktop),
                        address: address, site: site, userAgent: "Browser/1", referrer: nil, query: "campaign=" + campaign,
                        reason: nil, longLink: LongLinkRecord(labels: Labels(campaign: campaign))))
            }
        }
    }
}
