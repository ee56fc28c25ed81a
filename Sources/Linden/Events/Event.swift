/// Something that an app or a page reported.
package struct Event: Sendable {
    package typealias ID = Identifier<Event>

    package let id: ID
    package let scope: Scope
    /// The call it came by, such as `v2/event/standard`.
    package let endpoint: String
    package let name: String
    package let device: Device.ID?
    package let identity: Identity.ID?
    package let session: Session.ID?
    /// What it was credited to when it came, and for good: the click that led here last within its window, and that click's link.
    package let touch: AttributedTouch?
    /// Everything that was reported.
    package let body: JSONObject
}

/// An event as it arrives.
package struct NewEvent: Sendable {
    package var endpoint: String
    package var name: String
    package var tokens: UserTokens
    /// The developer's user id, from SDKs that keep it themselves.
    package var developerIdentity: String?
    /// The device's own ids, from SDKs that send no token (iOS 0.21 to 0.27.1, servers).
    package var hardwareIDs: [String]
    package var advertisingIDs: [String]
    package var body: JSONObject
    package var requestKey: RequestKey?

    package init(
        endpoint: String, name: String, tokens: UserTokens, developerIdentity: String? = nil, hardwareIDs: [String] = [],
        advertisingIDs: [String] = [], body: JSONObject, requestKey: RequestKey? = nil
    ) {
        self.requestKey = requestKey
        self.endpoint = endpoint
        self.name = name
        self.tokens = tokens
        self.developerIdentity = developerIdentity
        self.hardwareIDs = hardwareIDs
        self.advertisingIDs = advertisingIDs
        self.body = body
    }
}

package protocol EventRepository {
    func insert(_ event: Event) throws
}

/// Records events.
package struct EventService: Sendable {
    private let storage: any Storage
    private let privacy: AddressPrivacy

    package init(storage: any Storage, privacy: AddressPrivacy) {
        self.storage = storage
        self.privacy = privacy
    }

    /// Stores an event whole, but for addresses that are not to be kept as they are. Never refuses one for whom it does not know.
    package func record(_ new: NewEvent, in scope: Scope) async throws {
        var new = new
        if privacy.form != .raw { new.body = new.body.withoutAddresses }
        _ = try await storage.write { [new] transaction in
            try transaction.once(new.requestKey, in: scope, earlier: { (id: Event.ID) in id }) {
                let event = try transaction.event(new, in: scope)
                try transaction.insert(event)
                try transaction.reward(event)
                return (event.id, event.id)
            }
        }
    }
}

extension Transaction {
    fileprivate func event(_ new: NewEvent, in scope: Scope) throws -> Event {
        let told = try device(of: new.tokens, in: scope)
        let device = try told ?? device(new, in: scope)
        let user = try user(of: new, told, device, in: scope)
        return Event(
            id: try newID(), scope: scope, endpoint: new.endpoint, name: new.name, device: device?.id, identity: user?.id,
            session: try session(of: new.tokens, in: scope)?.id,
            touch: try attributedTouch(device: device?.id, identity: user?.id, in: scope), body: new.body)
    }

    /// The user of an event. One who is named is that user and nobody else; where the app itself names its anonymous user, as SDKs do that
    /// keep the name themselves, it is he who has the name from then on.
    private func user(of new: NewEvent, _ told: Device?, _ device: Device?, in scope: Scope) throws -> Identity? {
        let reported = try reportedUser(of: new.tokens, device: device, in: scope)
        guard let name = new.developerIdentity, name.unicodeScalars.count <= Limits.identity else { return reported }
        guard let reported, told?.identity == reported.id else { return try identity(named: name, in: scope) }
        return try identity(reported, saying: name)
    }

    private func device(_ new: NewEvent, in scope: Scope) throws -> Device? {
        for id in new.hardwareIDs {
            if let device = try device(hardwareID: id, in: scope) { return device }
        }
        for id in new.advertisingIDs {
            if let device = try device(advertisingID: id, in: scope) { return device }
        }
        return nil
    }
}
