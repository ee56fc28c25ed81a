/// Something a user did for which a rule may reward him or who brought him.
struct RewardedAction {
    /// A first session. What an app reports under these names is no such thing, and never counts as one.
    static let install = "install"
    static let open = "open"

    let scope: Scope
    let name: String
    let metadata: JSONObject
    let actor: Identity.ID
    let device: Device.ID?
    /// Who brought the actor.
    let referrer: Identity.ID?
    let session: Session.ID?
    let event: Event.ID?

    /// Nil for a session that is no opening of the app, and for an install that no link led to: anyone can make such installs up.
    init?(_ session: Session, referrer: Identity.ID?) {
        switch session.kind {
        case .install, .fullAppConversion:
            guard session.link != nil || session.click != nil else { return nil }
            name = Self.install
        // Who comes back has been rewarded for coming.
        case .open, .reinstall: name = Self.open
        case .web, .userChange: return nil
        }
        scope = session.scope
        metadata = session.data
        actor = session.identity
        device = session.device
        self.referrer = referrer
        self.session = session.id
        event = nil
    }

    /// Nil for an event of nobody.
    init?(_ event: Event, referrer: Identity.ID?) {
        guard let actor = event.identity, ![Self.install, Self.open].contains(event.name) else { return nil }
        name = event.name
        scope = event.scope
        metadata = Event.metadata(in: event.body)
        self.actor = actor
        device = event.device
        self.referrer = referrer == actor ? nil : referrer
        session = event.session
        self.event = event.id
    }

    /// What of an event's metadata is kept with its rewards, for users' histories.
    var keptMetadata: JSONObject? { event == nil ? nil : metadata.cut(to: CreditCause.longestMetadata) }

    /// Whether the metadata holds all that a filter names; a number is the same as its text.
    func passes(_ filter: JSONObject) -> Bool {
        !filter.contains { key, value in metadata[key]?.scalarText != value.scalarText }
    }
}

extension Event {
    /// What an app says of an event: `metadata` in v1, `custom_data` and what is known by its name (`event_data`) in v2.
    package static func metadata(in body: JSONObject) -> JSONObject {
        if let metadata = body["metadata"]?.object { return metadata }
        return (body["event_data"]?.object ?? [:]).merging(body["custom_data"]?.object ?? [:])
    }
}
