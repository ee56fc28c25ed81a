import Linden
import LindenKernel

/// A request of `POST /v1/open` from a customer's server for one of its users (Branch's Attribution API). In contrast to an SDK, its author
/// can correct it, so missing fields are errors.
package struct ServerOpenRequest: Sendable {
    private let body: RequestFields

    /// Returns nil for an SDK's call.
    package init?(_ body: RequestFields) {
        guard body.flag("server_to_server") else { return nil }
        self.body = body
    }

    /// Returns the session to start. Fails with `invalid` and the name of the field.
    package func sessionStart(app: AppContext, _ ids: PublicIDs) throws -> SessionStart {
        try check()
        // The peer is the customer's server, so the user's address is known only if the body contains it.
        let address = body.text("ip").flatMap { ClientAddress($0) } ?? .unknown
        var start = OpenRequest(body, endpoint: .open).sessionStart(app: app, address: address, userAgent: "", ids)
        start.caller = .server
        if !body.flag("ad_tracking_enabled") {
            start.description.hardwareID = nil
            start.description.advertisingID = nil
            start.deviceKeys = []
        }
        return start
    }

    private func check() throws {
        guard ["ios", "android"].contains(body.text("os")?.lowercased()) else {
            throw Failure.invalid("os must be iOS or Android.")
        }
        for name in ["os_version", "app_version", "model"] where body.text(name) == nil {
            throw Failure.invalid("\(name) is missing; use NA if it is unknown.")
        }
        for name in ["ad_tracking_enabled", "is_hardware_id_real"] where !body.isFlag(name) {
            throw Failure.invalid("\(name) must be true or false.")
        }
        if let ip = body.text("ip"), ClientAddress(ip) == nil {
            throw Failure.invalid("ip must be the IPv4 or IPv6 address of the user.")
        }
    }
}
