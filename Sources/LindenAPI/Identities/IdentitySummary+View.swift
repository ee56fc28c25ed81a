import Linden
import LindenKernel
import LindenServices

extension IdentitySummary {
    /// An identity with its devices and totals.
    ///
    /// - `identity_id`: the identity's reference.
    /// - `developer_identity`: the developer's own id; null for an anonymous identity.
    /// - `created_at`: a time in ISO 8601, UTC.
    /// - `devices`: the newest of its devices, at most ``IdentitySummary/mostDevices``, as in ``Device/view(_:)``.
    /// - `first_session`, `last_session`: an object of `session_id` and `started_at`; null without sessions.
    /// - `sessions`: their number.
    /// - `referred_installs`: the number of installs that the identity referred.
    package func view(_ publicIDs: PublicIDs) -> JSONObject {
        [
            "identity_id": .string(publicIDs.reference(to: identity.id)),
            "developer_identity": JSON(identity.developerIdentity),
            "created_at": .string(identity.id.time.iso8601),
            "devices": .array(devices.map { .object($0.view(publicIDs)) }),
            "first_session": Self.session(firstSession, publicIDs),
            "last_session": Self.session(lastSession, publicIDs),
            "sessions": .integer(sessions),
            "referred_installs": .integer(referredInstalls),
        ]
    }

    private static func session(_ id: Session.ID?, _ publicIDs: PublicIDs) -> JSON {
        guard let id else { return .null }
        return ["session_id": .string(publicIDs.reference(to: id)), "started_at": .string(id.time.iso8601)]
    }
}

extension Device {
    /// A device of an identity.
    ///
    /// - `device_id`: the device's reference.
    /// - `browser`: whether it is a browser.
    /// - `os`, `model`, `advertising_id`: as reported by the SDK; null if not reported.
    ///
    /// Without the hardware id, by which a new installation is known as this device: it would let who reads the view continue as the user.
    package func view(_ publicIDs: PublicIDs) -> JSONObject {
        [
            "device_id": .string(publicIDs.reference(to: id)), "browser": .bool(isBrowser),
            "os": JSON(description.os), "model": JSON(description.model),
            "advertising_id": JSON(description.advertisingID),
        ]
    }
}
