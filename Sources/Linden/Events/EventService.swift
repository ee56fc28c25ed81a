import LindenKernel

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
    /// - Parameter address: the caller's address, by which rewards are limited unless the event is authenticated.
    /// - Returns: the number of bytes stored in rows other than the event, and of stored content that was read to be compared with it.
    @discardableResult
    package func record(_ new: NewEvent, for app: AppContext, from address: ClientAddress) async throws -> Int {
        var new = new
        if addresses.privacy.form != .raw { new.body = new.body.withoutAddresses }
        let origin = new.isAuthenticated ? nil : try await addresses.rewardOrigin(address)
        let bodyText = JSON.object(new.body).text
        var completion: EventCompletion?
        for _ in 0..<Self.mostTries {
            do {
                return try await write(new, bodyText, completion, for: app, origin)
            } catch let unread as UnreadEvent {
                let storedText = try await storage.read { try $0.bodyText(of: unread.event) }
                completion = try storedText.map { try EventCompletion(of: $0, by: new.body) }
            }
        }
        throw Failure.unavailable("The event was changed again and again; please try again.")
    }

    /// The tries of an event that completes another. A body rarely changes twice.
    private static let mostTries = 4

    /// Records an event in a transaction. Throws ``UnreadEvent`` if it completes an event with a large body that is not the one of
    /// `completion`.
    private func write(
        _ new: NewEvent, _ bodyText: String, _ completion: EventCompletion?, for app: AppContext, _ origin: RewardOrigin?
    ) async throws -> Int {
        let (scope, settings) = (app.scope, app.app.configuration.events)
        return try await storage.write { transaction in
            var stored = 0
            _ = try transaction.idempotently(new.requestKey, in: scope, earlier: { (id: Event.ID) in id }) {
                var problems = new.facts.problems
                let id = try EventRecorder(transaction: transaction, prepared: completion).record(
                    new, bodyText, in: scope, settings, origin, &problems, &stored)
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

/// A read-write transaction, as far as the recording of events needs it: events, their devices, identities and content, and the ledger.
package protocol EventTransaction: EventRepository, LoginTransaction, ContentTransaction, ClickReader, AppReader, LinkReader {}

/// The recording of events within a transaction.
private struct EventRecorder {
    let transaction: any EventTransaction
    /// The completion of an earlier event by the recorded one, made before the transaction.
    let prepared: EventCompletion?

    /// Records an event, and returns its id or that of an earlier event with the same transaction.
    ///
    /// - Parameters:
    ///   - bodyText: the event's body as compact JSON.
    ///   - stored: set to the number of bytes to charge besides the event, see ``EventService/record(_:for:from:)``.
    func record(
        _ new: NewEvent, _ bodyText: String, in scope: Scope, _ settings: EventSettings, _ origin: RewardOrigin?,
        _ problems: inout [EventProblem], _ stored: inout Int
    ) throws -> Event.ID {
        let event = try event(new, bodyText, in: scope, settings, &problems)
        if settings.uniqueTransactions, let wanted = TransactionClaim(event, isAuthenticated: new.isAuthenticated) {
            switch try transaction.claim(wanted, for: event.id, in: scope) {
            case .taken: break
            case .takenOver: problems.append(.transactionTakenOver)
            case .confirmed(let earlier):
                problems.append(.transactionRepeated)
                stored = try complete(earlier, by: event, origin, in: settings.currency, &problems)
                return earlier
            case .repeated(let earlier):
                problems.append(.transactionRepeated)
                return earlier
            }
        }
        try transaction.insert(event)
        stored = try ContentCounter(transaction: transaction).count(
            event, isAuthenticated: new.isAuthenticated, in: settings.currency, &problems)
        stored += event.indexedBytes
        try transaction.ledgerRecorder.reward(event, origin, after: nil)
        return event.id
    }

    /// Completes a recorded event by an authenticated report of it: merges its content, counts the pieces that the event did not name
    /// before, and applies the reward rules whose filters it did not pass before.
    ///
    /// - Returns: the number of bytes to charge besides the event.
    private func complete(
        _ recorded: Event.ID, by report: Event, _ origin: RewardOrigin?, in currency: Currency, _ problems: inout [EventProblem]
    ) throws -> Int {
        guard let storedText = try transaction.bodyText(of: recorded) else { return 0 }
        let completion = try completion(of: recorded, storedText, by: report)
        try transaction.setBody(completion.text, of: recorded)
        let event = Event(
            id: recorded, scope: report.scope, endpoint: report.endpoint, name: report.name, device: report.device,
            isDeviceProven: report.isDeviceProven, identity: report.identity, session: report.session, touch: report.touch,
            facts: report.facts, revenue: report.revenue, body: completion.completed, bodyText: completion.text)
        try transaction.ledgerRecorder.reward(event, origin, after: completion.before)
        return try ContentCounter(transaction: transaction).count(
            event, isAuthenticated: true, in: currency, except: completion.namedContent, &problems)
    }

    /// Returns the completion that was made before the transaction, if the stored body is still the same. Else makes it, or throws
    /// ``UnreadEvent`` if that takes too long.
    private func completion(of recorded: Event.ID, _ storedText: String, by report: Event) throws -> EventCompletion {
        if let prepared, prepared.isCurrent(storedText) { return prepared }
        guard storedText.utf8.count + report.bodyText.utf8.count <= UnreadEvent.smallLength else {
            throw UnreadEvent(event: recorded)
        }
        return try EventCompletion(of: storedText, by: report.body)
    }

    private func event(
        _ new: NewEvent, _ bodyText: String, in scope: Scope, _ settings: EventSettings, _ problems: inout [EventProblem]
    ) throws -> Event {
        let tokenDevice = try transaction.device(of: new.tokens, in: scope)
        let device = try tokenDevice ?? device(new, in: scope)
        let user = try user(of: new, tokenDevice, device, in: scope)
        return Event(
            id: try transaction.newID(), scope: scope, endpoint: new.endpoint, name: new.name, device: device?.id,
            isDeviceProven: tokenDevice != nil, identity: user?.id,
            session: try transaction.session(of: new.tokens, in: scope)?.id,
            touch: try transaction.lastTouch(device: device, identity: user, in: scope), facts: new.facts,
            revenue: try revenue(of: new.facts.commerce, in: settings.currency, &problems), body: new.body,
            bodyText: bodyText)
    }

    /// The revenue in the app's reporting currency, at today's rate; nil if there is none, or if it cannot be converted.
    private func revenue(of commerce: Commerce, in currency: Currency, _ problems: inout [EventProblem]) throws -> Money? {
        guard let revenue = commerce.revenue, !commerce.isCurrencyUnknown else { return nil }
        switch try transaction.converted(revenue, from: commerce.currency ?? currency, to: currency, on: transaction.now.day) {
        case .converted(let money): return money
        case .tooLarge: problems.note(.revenueTooLarge)
        case .rateMissing: problems.note(.rateMissing)
        }
        return nil
    }

    /// Returns the user of an event. If the event reports a login or logout, the device's user changes accordingly.
    private func user(of new: NewEvent, _ tokenDevice: Device?, _ device: Device?, in scope: Scope) throws -> Identity? {
        if let tokenDevice, new.loginState == .loggedOut { return try transaction.logOut(tokenDevice) }
        let user = try namedUser(of: new, tokenDevice, device, in: scope)
        if let tokenDevice, let user, new.loginState == .loggedIn, tokenDevice.identity != user.id {
            try transaction.assign(user.id, to: tokenDevice.id)
        }
        return user
    }

    /// Returns the user that an event identifies, else the device's. If the app reports a name for its anonymous user, as SDKs do that
    /// store the name themselves, the identity is given the name.
    private func namedUser(of new: NewEvent, _ tokenDevice: Device?, _ device: Device?, in scope: Scope) throws -> Identity? {
        let reported = try transaction.reportedUser(of: new.tokens, device: device, in: scope)
        guard let name = new.developerIdentity, name.unicodeScalars.count <= LengthLimits.identity else { return reported }
        guard let reported, tokenDevice?.identity == reported.id else { return try transaction.identity(named: name, in: scope) }
        return try transaction.identity(reported, saying: name, on: tokenDevice?.id)
    }

    private func device(_ new: NewEvent, in scope: Scope) throws -> Device? {
        for id in new.hardwareIDs {
            if let device = try transaction.device(hardwareID: id, in: scope) { return device }
        }
        for id in new.advertisingIDs {
            if let device = try transaction.firstApp(advertisingID: id, in: scope) { return device }
        }
        return nil
    }
}

extension Event {
    /// The bytes that the name and the transaction's id take in columns and indexes, besides the body: each is stored up to four more times,
    /// and the pages of an index whose entries come in no order are partly empty. Measured with long ones: 6.5 times their length.
    fileprivate var indexedBytes: Int { 6 * (name.utf8.count + (facts.commerce.transactionID?.utf8.count ?? 0)) }
}
