import Linden
import LindenKernel

/// An action for which a rule may reward the acting identity or its referrer.
struct RewardedAction {
    /// The name of an identity's first session. Events that an app reports under these names are never rewarded.
    static let install = "install"
    static let open = "open"

    let scope: Scope
    let name: String
    let metadata: EventMetadata
    /// The part of an event's metadata that is stored with its rewards, for the history; nil for a session.
    let keptMetadata: JSONObject?
    let actor: Identity.ID
    let device: Device.ID?
    /// Whether the report has the device's token.
    let isDeviceProven: Bool
    /// The identity that referred the actor.
    let referrer: Identity.ID?
    /// The reasons for holding the rewards of that referral, as sentences; empty if they are granted.
    let heldReasons: [String]
    let session: Session.ID?
    let event: Event.ID?

    /// Nil for a session that is not an opening of the app, and for an install without a link or click, since anyone can fake those.
    init?(_ session: Session, _ referral: RecordedReferral?) {
        switch session.kind {
        case .install, .fullAppConversion:
            guard session.link != nil || session.click != nil else { return nil }
            name = Self.install
        // A reinstallation counts as an open: the install was rewarded before.
        case .open, .reinstall: name = Self.open
        case .web, .userChange: return nil
        }
        scope = session.scope
        metadata = EventMetadata([session.data])
        keptMetadata = nil
        actor = session.identity
        device = session.device
        isDeviceProven = true
        referrer = referral?.referrer
        heldReasons = referral?.heldReasons ?? []
        self.session = session.id
        event = nil
    }

    /// Nil for an event without an identity, and for one named like a session.
    init?(_ event: Event, _ referral: RecordedReferral?) {
        guard let actor = event.identity, ![Self.install, Self.open].contains(event.name) else { return nil }
        name = event.name
        scope = event.scope
        metadata = EventMetadata(of: event.body)
        keptMetadata = metadata.kept
        self.actor = actor
        device = event.device
        isDeviceProven = event.isDeviceProven
        referrer = referral.flatMap { $0.referrer == actor ? nil : $0.referrer }
        heldReasons = referral?.heldReasons ?? []
        session = event.session
        self.event = event.id
    }

    /// Whether the metadata contains all members of a filter. Values are compared as text, so a number equals its text.
    func passes(_ filter: JSONObject) -> Bool { Self.passes(filter, metadata) }

    static func passes(_ filter: JSONObject, _ metadata: EventMetadata) -> Bool {
        !filter.contains { key, value in !(metadata[key]?.scalarText).hasSameBytes(as: value.scalarText) }
    }
}
