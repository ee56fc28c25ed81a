import Linden
import LindenReporting

extension SQLTransaction {
    package func visitDeviceCounts(
        of scope: Scope, _ topic: Topic, by dimension: Dimension?, named: Bool, days: Range<Int64>,
        _ body: (DeviceCount) throws -> Void
    ) throws {
        try connection.read(
            """
            SELECT day, name, value, devices, sketch FROM rollup_devices
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND topic = \(topic.rawValue)
                AND dimension = \(dimension?.rawValue ?? "") AND all_names = \(!named)
                AND day >= \(days.lowerBound) AND day < \(days.upperBound)
            """
        ) { row in
            let key = DeviceCount.Key(
                scope: scope, topic: topic, dimension: dimension, day: row.integer(0), name: named ? row.text(1) : nil,
                value: row.text(2))
            try body(DeviceCount(key: key, devices: row.integer(3), sketch: DeviceSketch(bytes: row.blob(4))))
            return true
        }
    }

    package func devicesCountedThrough(_ log: ActivityLog) throws -> Int64 { try cursor(.rollupDevices, log) }

    package func firstWithoutDeviceCount(in log: ActivityLog) throws -> Int64? {
        let after = try devicesCountedThrough(log)
        let sql: SQL =
            switch log {
            case .clicks: "SELECT id FROM clicks WHERE id > \(after) ORDER BY id LIMIT 1"
            case .sessions: "SELECT id FROM sessions WHERE id > \(after) ORDER BY id LIMIT 1"
            case .events: "SELECT id FROM events WHERE id > \(after) ORDER BY id LIMIT 1"
            }
        return try connection.first(sql) { $0.integer(0) }
    }

    package func set(_ counts: [DeviceCount]) throws {
        for count in counts {
            let key = count.key
            try connection.execute(
                """
                INSERT INTO rollup_devices (app_id, mode, topic, dimension, all_names, day, name, value, devices, sketch)
                VALUES (\(key.scope.app), \(key.scope.mode), \(key.topic.rawValue), \(key.dimension?.rawValue ?? ""), \(key.name == nil),
                    \(key.day), \(key.name ?? ""), \(key.value), \(count.devices), \(count.sketch.bytes))
                ON CONFLICT (app_id, mode, topic, dimension, all_names, day, name, value) DO UPDATE
                SET devices = excluded.devices, sketch = excluded.sketch
                """)
        }
    }

    package func setDevicesCounted(in log: ActivityLog, through id: Int64) throws {
        try setCursor(.rollupDevices, log, through: id)
    }
}
