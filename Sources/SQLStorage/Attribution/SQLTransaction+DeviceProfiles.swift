import Linden
import LindenKernel

extension SQLTransaction {
    private static let languages = "languages"
    /// Clients may report made-up operating systems; each has up to 3,000 rows.
    private static let mostSystems = 4

    package func commonness(of traits: Evidence.Traits, in scope: Scope) throws -> (Evidence.Commonness?, languages: [String]) {
        let values = DeviceProfile.values(traits)
        // One look-up by the whole key per trait: an app may have thousands of models.
        let rows = try connection.query(
            Self.findShares,
            { parameters in
                parameters.bind(scope)
                parameters.bind(traits.os)
                parameters.bind(Self.languages)
                for trait in [DeviceProfile.Trait.osVersion, .model, .screen] {
                    parameters.bind(trait.rawValue)
                    parameters.bind(values[trait])
                }
            }
        ) { (trait: $0.text(0), value: $0.text(1), share: $0.integer(2)) }
        guard let languages = rows.first(where: { $0.trait == Self.languages })?.value else { return (nil, []) }
        // A value without a row is rarer than any value that has one.
        func share(_ trait: DeviceProfile.Trait) -> Int64? {
            values[trait].map { _ in rows.first { $0.trait == trait.rawValue }?.share ?? 0 }
        }
        return (
            Evidence.Commonness(osVersion: share(.osVersion), model: share(.model), screen: share(.screen)),
            languages.split(separator: " ").map(String.init)
        )
    }

    private static let findShares = StaticSQL(
        """
        SELECT trait, value, share FROM device_shares WHERE app_id = $1 AND mode = $2 AND os = $3 AND trait = $4
        UNION ALL
        SELECT trait, value, share FROM device_shares
        WHERE app_id = $1 AND mode = $2 AND os = $3 AND trait = $5 AND value = $6
        UNION ALL
        SELECT trait, value, share FROM device_shares
        WHERE app_id = $1 AND mode = $2 AND os = $3 AND trait = $7 AND value = $8
        UNION ALL
        SELECT trait, value, share FROM device_shares
        WHERE app_id = $1 AND mode = $2 AND os = $3 AND trait = $9 AND value = $10
        """)

    package func scopeToProfile(learnedBefore time: Timestamp) throws -> Scope? {
        try connection.first(
            """
            SELECT apps.id FROM apps
            LEFT JOIN device_profiles ON device_profiles.app_id = apps.id AND device_profiles.mode = \(Mode.live)
            WHERE learned_at IS NULL OR learned_at < \(time)
            ORDER BY apps.id LIMIT 1
            """
        ) { Scope(app: $0.id(0), mode: .live) }
    }

    package func profiles(of scope: Scope, newestSessions limit: Int) throws -> [String: DeviceProfile] {
        let rows = try connection.query(
            """
            SELECT os, os_version, model, screen, language, COUNT(*) FROM devices
            WHERE id IN (
                    SELECT device_id FROM (
                        SELECT device_id FROM sessions WHERE app_id = \(scope.app) AND mode = \(scope.mode)
                        ORDER BY id DESC LIMIT \(limit)) AS newest)
                AND is_browser = 0 AND os IS NOT NULL
            GROUP BY os, os_version, model, screen, language
            """
        ) { row in
            (
                traits: Evidence.Traits(
                    os: row.text(0), osVersion: row.optionalText(1), model: row.optionalText(2),
                    screen: row.optionalText(3).flatMap(Screen.init), language: row.optionalText(4).flatMap(Language.primary)),
                devices: row.integer(5)
            )
        }
        return rows.reduce(into: [:]) { $0[$1.traits.os, default: DeviceProfile()].add($1.traits, devices: $1.devices) }
    }

    package func replaceProfiles(_ profiles: [String: DeviceProfile], of scope: Scope) throws {
        try connection.execute("DELETE FROM device_shares WHERE app_id = \(scope.app) AND mode = \(scope.mode)")
        for (os, profile) in profiles.sorted(by: { $0.value.devices > $1.value.devices }).prefix(Self.mostSystems)
        where profile.devices >= DeviceProfile.leastDevices {
            try insertShare(profile.devices, of: profile.languages.joined(separator: " "), Self.languages, os, scope)
            for trait in [DeviceProfile.Trait.osVersion, .model, .screen] {
                for (value, share) in profile.shares(trait) where share > 0 {
                    try insertShare(share, of: value, trait.rawValue, os, scope)
                }
            }
        }
        try connection.execute(
            """
            INSERT INTO device_profiles (app_id, mode, learned_at) VALUES (\(scope.app), \(scope.mode), \(now))
            ON CONFLICT (app_id, mode) DO UPDATE SET learned_at = excluded.learned_at
            """)
    }

    private func insertShare(_ share: Int64, of value: String, _ trait: String, _ os: String, _ scope: Scope) throws {
        try connection.execute(
            """
            INSERT INTO device_shares (app_id, mode, os, trait, value, share)
            VALUES (\(scope.app), \(scope.mode), \(os), \(trait), \(value), \(share))
            """)
    }
}
