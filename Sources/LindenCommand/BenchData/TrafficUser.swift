import Linden

/// Somebody who has an app.
struct TrafficUser: Sendable {
    let identity: Identity
    let device: Device.ID
    /// Their places in the catalogue.
    let phone: Int
    let country: Int
    let hardwareID: String
    let appVersion: String
    /// The last one.
    var session = Session.ID(rawValue: 0)
    /// The last click that led here, and its link's place among the links.
    var touch: (click: Click.ID, link: Int)?

    var scope: Scope { identity.scope }
}
