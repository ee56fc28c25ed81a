import Linden
import LindenKernel

/// A user of an app.
struct TrafficUser: Sendable {
    let identity: Identity
    let device: Device.ID
    /// Indices in ``TrafficCatalog/phones`` and ``TrafficCatalog/countries``.
    let phone: Int
    let country: Int
    let hardwareID: String
    let appVersion: String
    /// The last session.
    var session = Session.ID(rawValue: 0)
    /// The last attributed click, and the index of its link.
    var touch: (click: Click.ID, link: Int)?

    var scope: Scope { identity.scope }
}
