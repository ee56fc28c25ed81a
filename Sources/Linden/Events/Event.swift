/// An event reported by an app or a page.
package struct Event: Sendable {
    package typealias ID = Identifier<Event>

    package let id: ID
    package let scope: Scope
    /// The endpoint of the call, such as `v2/event/standard`.
    package let endpoint: String
    package let name: String
    package let device: Device.ID?
    package let identity: Identity.ID?
    package let session: Session.ID?
    /// The touch that the event is attributed to, determined on arrival: the last click that led to the app, if it is within its window.
    package let touch: AttributedTouch?
    /// The fields parsed from the body.
    package let facts: EventFacts
    /// The revenue in the app's reporting currency, converted on arrival; nil if there is none, or if it could not be converted.
    package let revenue: Money?
    /// The complete body.
    package let body: JSONObject
    /// The body as compact JSON. Made before the transaction, because a body may have a megabyte.
    package let bodyText: String

    package init(
        id: ID, scope: Scope, endpoint: String, name: String, device: Device.ID?, identity: Identity.ID?, session: Session.ID?,
        touch: AttributedTouch?, facts: EventFacts, revenue: Money?, body: JSONObject, bodyText: String
    ) {
        self.id = id
        self.scope = scope
        self.endpoint = endpoint
        self.name = name
        self.device = device
        self.identity = identity
        self.session = session
        self.touch = touch
        self.facts = facts
        self.revenue = revenue
        self.body = body
        self.bodyText = bodyText
    }

    /// The maximum length of a name in bytes. The body contains longer ones completely.
    package static let longestName = 255
}

/// An event as received.
package struct NewEvent: Sendable {
    package var endpoint: String
    package var name: String
    package var tokens: UserTokens
    /// The developer's user id, from SDKs that store it themselves.
    package var developerIdentity: String?
    /// The login state of the device; nil if the SDK reports it by other calls.
    package var loginState: LoginState?
    /// The device's hardware ids, from SDKs that send no token (iOS 0.21 to 0.27.1) and from servers.
    package var hardwareIDs: [String]
    package var advertisingIDs: [String]
    package var body: JSONObject
    package var facts: EventFacts
    package var requestKey: RequestKey?
    /// Whether the call was authenticated with the app's secret.
    package var isAuthenticated = false

    package init(
        endpoint: String, name: String, tokens: UserTokens, developerIdentity: String? = nil, loginState: LoginState? = nil,
        hardwareIDs: [String] = [], advertisingIDs: [String] = [], body: JSONObject, facts: EventFacts = EventFacts(),
        requestKey: RequestKey? = nil
    ) {
        self.loginState = loginState
        self.facts = facts
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

package protocol EventReader {
    /// The problems of an app's events, latest first.
    func eventProblems(in scope: Scope) throws -> [EventProblemCount]
}

package protocol EventRepository: EventReader {
    func insert(_ event: Event) throws
    func claim(_ claim: TransactionClaim, for event: Event.ID, in scope: Scope) throws -> TransactionClaim.Outcome
    /// Returns the stored body of an event; nil if the event is gone.
    func body(of event: Event.ID) throws -> JSONObject?
    /// Replaces the stored body of an event by compact JSON.
    func setBody(_ body: String, of event: Event.ID) throws
    func count(_ problem: EventProblem, of name: StandardEvent?, in scope: Scope) throws
}

extension JSONObject {
    /// Returns the body of an event completed by an authenticated report of the same event, whose members replace those of the body. Their
    /// `user_data` is merged, since an app knows its device and a server does not.
    fileprivate func completed(by report: JSONObject) -> JSONObject {
        var completed = merging(report)
        if let user = self["user_data"]?.object, let reported = report["user_data"]?.object {
            completed["user_data"] = .object(user.merging(reported))
        }
        return completed
    }
}

/// Records events.
package struct EventService: Sendable {
    private let storage: any Storage
    private let addresses: AddressPseudonymizer

    package init(storage: any Storage, addresses: AddressPseudonymizer) {
        self.storage = storage
        self.addresses = addresses
    }

    /// Stores an event completely, except for addresses if the installation does not store plain ones. Never rejects an event because of
    /// its content; problems are counted instead.
    ///
    /// - Parameter address: the caller's address, by which rewards are limited.
    /// - Returns: the number of bytes stored in rows other than the event, and of stored content that was read to be compared with it.
    @discardableResult
    package func record(_ new: NewEvent, for app: AppContext, from address: ClientAddress) async throws -> Int {
        var new = new
        if addresses.privacy.form != .raw { new.body = new.body.withoutAddresses }
        let origin = try await addresses.rewardOrigin(address)
        let (scope, settings) = (app.scope, app.app.configuration.events)
        let bodyText = JSON.object(new.body).text
        return try await storage.write { [new] transaction in
            var stored = 0
            _ = try transaction.idempotently(new.requestKey, in: scope, earlier: { (id: Event.ID) in id }) {
                var problems = new.facts.problems
                let id = try transaction.record(new, bodyText, in: scope, settings, origin, &problems, &stored)
                for problem in problems { try transaction.count(problem, of: new.facts.standard, in: scope) }
                return (id, id)
            }
            return stored
        }
    }

    /// Returns the problems of an app's events, latest first.
    package func problems(in scope: Scope) async throws -> [EventProblemCount] {
        try await storage.read { try $0.eventProblems(in: scope) }
    }
}

extension Transaction {
    /// Records an event, and returns its id or that of an earlier event with the same transaction.
    ///
    /// - Parameters:
    ///   - bodyText: the event's body as compact JSON.
    ///   - stored: set to the number of bytes to charge besides the event, see ``EventService/record(_:for:from:)``.
    fileprivate func record(
        _ new: NewEvent, _ bodyText: String, in scope: Scope, _ settings: EventSettings, _ origin: RewardOrigin,
        _ problems: inout [EventProblem], _ stored: inout Int
    ) throws -> Event.ID {
        let event = try event(new, bodyText, in: scope, settings, &problems)
        if settings.uniqueTransactions, let wanted = TransactionClaim(event, isAuthenticated: new.isAuthenticated) {
            switch try claim(wanted, for: event.id, in: scope) {
            case .taken: break
            case .takenOver: problems.append(.transactionTakenOver)
            case .confirmed(let earlier):
                problems.append(.transactionRepeated)
                try complete(earlier, by: event, origin)
                return earlier
            case .repeated(let earlier):
                problems.append(.transactionRepeated)
                return earlier
            }
        }
        try insert(event)
        stored = try count(
            contentOf: event, isAuthenticated: new.isAuthenticated, in: settings.currency, &problems)
        try reward(event, origin)
        return event.id
    }

    /// Completes a recorded event by an authenticated report of it, and applies the reward rules whose filters it did not pass before.
    private func complete(_ recorded: Event.ID, by report: Event, _ origin: RewardOrigin) throws {
        guard let before = try body(of: recorded) else { return }
        let completed = before.completed(by: report.body)
        let text = JSON.object(completed).text
        try setBody(text, of: recorded)
        let event = Event(
            id: recorded, scope: report.scope, endpoint: report.endpoint, name: report.name, device: report.device,
            identity: report.identity, session: report.session, touch: report.touch, facts: report.facts, revenue: report.revenue,
            body: completed, bodyText: text)
        try reward(event, origin, after: before)
    }

    private func event(
        _ new: NewEvent, _ bodyText: String, in scope: Scope, _ settings: EventSettings, _ problems: inout [EventProblem]
    ) throws -> Event {
        let tokenDevice = try device(of: new.tokens, in: scope)
        let device = try tokenDevice ?? device(new, in: scope)
        let user = try user(of: new, tokenDevice, device, in: scope)
        return Event(
            id: try newID(), scope: scope, endpoint: new.endpoint, name: new.name, device: device?.id, identity: user?.id,
            session: try session(of: new.tokens, in: scope)?.id,
            touch: try attributedTouch(device: device?.id, identity: user?.id, in: scope), facts: new.facts,
            revenue: try revenue(of: new.facts.commerce, in: settings.currency, &problems), body: new.body,
            bodyText: bodyText)
    }

    /// The revenue in the app's reporting currency, at today's rate; nil if there is none, or if it cannot be converted.
    private func revenue(of commerce: Commerce, in currency: Currency, _ problems: inout [EventProblem]) throws -> Money? {
        guard let revenue = commerce.revenue, !commerce.isCurrencyUnknown else { return nil }
        guard let converted = try converted(revenue, from: commerce.currency ?? currency, to: currency, on: now.day) else {
            problems.note(.rateMissing)
            return nil
        }
        if converted == nil { problems.note(.revenueTooLarge) }
        return converted
    }

    /// Returns the user of an event. If the event reports a login or logout, the device's user changes accordingly.
    private func user(of new: NewEvent, _ tokenDevice: Device?, _ device: Device?, in scope: Scope) throws -> Identity? {
        if let tokenDevice, new.loginState == .loggedOut { return try logOut(tokenDevice) }
        let user = try namedUser(of: new, tokenDevice, device, in: scope)
        if let tokenDevice, let user, new.loginState == .loggedIn, tokenDevice.identity != user.id {
            try assign(user.id, to: tokenDevice.id)
        }
        return user
    }

    /// Returns the user that an event identifies, else the device's. If the app reports a name for its anonymous user, as SDKs do that
    /// store the name themselves, the identity is given the name.
    private func namedUser(of new: NewEvent, _ tokenDevice: Device?, _ device: Device?, in scope: Scope) throws -> Identity? {
        let reported = try reportedUser(of: new.tokens, device: device, in: scope)
        guard let name = new.developerIdentity, name.unicodeScalars.count <= Limits.identity else { return reported }
        guard let reported, tokenDevice?.identity == reported.id else { return try identity(named: name, in: scope) }
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
