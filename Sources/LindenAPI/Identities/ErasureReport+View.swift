import Linden
import LindenKernel
import LindenServices

extension ErasureReport {
    /// The result of the erasure of an identity.
    ///
    /// - `erased`: true.
    /// - `identity_id`: the reference of the erased identity.
    /// - `identities`, `devices`, `sessions`, `events`, `text_messages`: the number of erased rows.
    /// - `clicks`, `links`: the number of rows that are kept without personal data or owner.
    package func view(of identity: Identity.ID, _ publicIDs: PublicIDs) -> JSONObject {
        [
            "erased": true,
            "identity_id": .string(publicIDs.reference(to: identity)),
            "identities": JSON(identities),
            "devices": JSON(devices),
            "sessions": JSON(sessions),
            "events": JSON(events),
            "clicks": JSON(clicks),
            "text_messages": JSON(textMessages),
            "links": JSON(links),
        ]
    }
}
