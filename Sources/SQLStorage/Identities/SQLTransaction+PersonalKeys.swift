import Linden
import LindenKernel
import LindenServices

/// The rows about a person that have no id: remembered calls, browsers and addresses of devices, and clicks that name a device.
extension SQLTransaction {
    package func requests(of scope: Scope, after key: String, limit: Int) throws -> [(key: String, row: Int64)] {
        try connection.query(
            """
            SELECT request_key, row_id FROM requests
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND request_key > \(key)
            ORDER BY request_key LIMIT \(limit)
            """
        ) { (key: $0.text(0), row: $0.integer(1)) }
    }

    package func browsersBesideApps(
        of scope: Scope, after browser: Browser.ID?, limit: Int
    ) throws -> [(browser: Browser.ID, device: Device.ID, isGuessed: Bool)] {
        try connection.query(
            """
            SELECT browser_id, device_id, is_guessed FROM browsers
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND browser_id > \(browser?.rawValue ?? .min)
            ORDER BY browser_id LIMIT \(limit)
            """
        ) { (browser: $0.id(0), device: $0.id(1), isGuessed: $0.integer(2) != 0) }
    }

    package func deviceAddresses(of scope: Scope, after last: DeviceAddress?, limit: Int) throws -> [DeviceAddress] {
        try connection.query(
            """
            SELECT address, device_id FROM device_addresses
            WHERE app_id = \(scope.app) AND mode = \(scope.mode)
                AND (address, device_id) > (\(last?.address ?? ""), \(last?.device.rawValue ?? 0))
            ORDER BY address, device_id LIMIT \(limit)
            """
        ) { DeviceAddress(address: $0.text(0), device: $0.id(1)) }
    }

    package func deviceClicks(of scope: Scope, after last: DeviceClick?, limit: Int) throws -> [DeviceClick] {
        try connection.query(
            """
            SELECT device_key, click_id FROM device_clicks
            WHERE app_id = \(scope.app) AND mode = \(scope.mode)
                AND (device_key, click_id) > (\(last?.key ?? ""), \(last?.click.rawValue ?? 0))
            ORDER BY device_key, click_id LIMIT \(limit)
            """
        ) { DeviceClick(key: $0.text(0), click: $0.id(1)) }
    }

    package func eraseRequests(_ keys: [String], in scope: Scope) throws {
        for key in keys {
            try connection.execute(
                "DELETE FROM requests WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND request_key = \(key)")
        }
    }

    package func eraseDeviceClicks(_ clicks: [DeviceClick], in scope: Scope) throws {
        for click in clicks {
            try connection.execute(
                """
                DELETE FROM device_clicks
                WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND device_key = \(click.key) AND click_id = \(click.click)
                """)
        }
    }

    package func erase(browsers: [Browser.ID], in scope: Scope) throws {
        for browser in browsers {
            try connection.execute(
                "DELETE FROM browsers WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND browser_id = \(browser)")
        }
    }

    package func erase(_ addresses: [DeviceAddress], in scope: Scope) throws {
        for address in addresses {
            try connection.execute(
                """
                DELETE FROM device_addresses
                WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND address = \(address.address)
                    AND device_id = \(address.device)
                """)
        }
    }
}
