import LinkRouting

/// A started session: the tokens that the SDK stores and the parameters that it hands to the app.
package struct StartedSession: Sendable {
    package let id: Session.ID
    package let device: Device.ID
    package let identity: Identity
    package let click: Click.ID?
    package var data: JSONObject
    /// The identity that shared the link.
    package let referrer: Identity?
    /// Whether the session's browser is known to be beside the app; false for the app itself.
    package let hasApp: Bool
    /// The session as stored by this request; nil for a retry, and where tracking is disabled.
    fileprivate var record: Session?

    /// The number of bytes stored for it: the link's data, which is stored twice for a first session, the explanation and the evidence.
    package var storedBytes: Int {
        guard let record else { return 0 }
        return 2 * JSON.object(record.data).bytes.count + record.explanation.bytes.count + (record.evidence?.json.bytes.count ?? 0)
    }
}

/// Starts and closes sessions. One transaction gathers the evidence, decides and writes.
package struct SessionService: Sendable {
    private let storage: any Storage
    private let links: LinkDirectory
    private let baseURL: BaseURL
    private let publicIDs: PublicIDs
    private let country: CountryLookup
    private let addressClass: AddressClassLookup
    private let addresses: AddressPseudonymizer
    private let exchangesAdTokens: Bool
    private let rules: AttributionRules
    private let clock: WallClock

    package init(
        storage: any Storage, links: LinkDirectory, baseURL: BaseURL, publicIDs: PublicIDs, country: @escaping CountryLookup,
        addressClass: @escaping AddressClassLookup, addresses: AddressPseudonymizer, exchangesAdTokens: Bool,
        rules: AttributionRules,
        clock: WallClock
    ) {
        self.rules = rules
        self.exchangesAdTokens = exchangesAdTokens
        self.addressClass = addressClass
        self.addresses = addresses
        self.clock = clock
        self.country = country
        self.storage = storage
        self.links = links
        self.baseURL = baseURL
        self.publicIDs = publicIDs
    }

    package func start(_ start: SessionStart) async throws -> StartedSession {
        let found = try await openedLink(start)
        let beginning = SessionContext(
            start: start, opened: found?.link, openedQuery: found?.clickedQuery, openedVia: found?.via,
            openedContinuesClick: found?.continuesClick(at: clock.now()) ?? false,
            country: found == nil ? nil : country(start.address),
            address: start.isTrackingDisabled ? StoredAddress([]) : try await addresses.kept(start.address),
            addressClass: addressClass(start.address), site: start.isTrackingDisabled ? nil : addresses.site(of: start.address),
            // A server authenticated with the secret.
            rewardOrigin: start.isTrackingDisabled || start.caller == .server
                ? nil : try await addresses.rewardOrigin(start.address),
            exchangesAdTokens: exchangesAdTokens, rules: rules, baseURL: baseURL, publicIDs: publicIDs)
        var session = try await storage.write { transaction in
            if start.isTrackingDisabled { return try transaction.begin(beginning) }
            return try transaction.idempotently(start.requestKey, in: start.scope, earlier: transaction.startedSession) {
                let session = try transaction.begin(beginning)
                return (session, session.id)
            }
        }
        // After the transaction, so that route patterns are not matched while other writers wait. A page opens nothing in the app.
        if start.caller != .browser { session.data = start.app.namingRoute(in: session.data, on: start.description.platform) }
        return session
    }

    package func close(_ id: Session.ID, in scope: Scope) async throws {
        try await storage.write { try $0.closeSession(id, in: scope, at: $0.now) }
    }

    private func openedLink(_ start: SessionStart) async throws -> ResolvedLink? {
        guard let url = start.opening.url, let found = try await links.link(url: url), found.link.scope == start.scope else {
            return nil
        }
        return found
    }
}

/// The context of a session to be started, with everything that was looked up before its transaction.
private struct SessionContext: Sendable {
    let start: SessionStart
    /// The link that opened the app, if it is one of the app's.
    let opened: Link?
    /// The query appended to it at the earlier click, if the launch names a click of it.
    let openedQuery: String?
    /// The id of that click or text message.
    let openedVia: Click.ID?
    /// Whether the launch continues that click and takes no other of the link's clicks.
    let openedContinuesClick: Bool
    /// The country of the client's address.
    let country: String?
    let address: StoredAddress
    let addressClass: AddressClass
    /// See ``AddressPseudonymizer/site(of:)``.
    let site: Int64?
    /// Nil for a caller whose rewards are not limited by origin.
    let rewardOrigin: RewardOrigin?
    /// Whether to exchange a token with Apple for the search ad behind it.
    let exchangesAdTokens: Bool
    let rules: AttributionRules
    let baseURL: BaseURL
    let publicIDs: PublicIDs
}

/// The device and the identity of a session.
private struct SessionUser {
    let device: Device.ID
    let identity: Identity
    /// Whether the device was known before.
    let isKnown: Bool
    /// The app environment that the device had then.
    var earlier: AppEnvironment?
}

extension Transaction {
    /// Returns the session that an earlier try of the same request started.
    fileprivate func startedSession(_ id: Session.ID) throws -> StartedSession? {
        guard let session = try session(id), let identity = try identity(session.identity) else { return nil }
        return try startedSession(session, identity)
    }

    private func startedSession(_ session: Session, _ identity: Identity) throws -> StartedSession {
        StartedSession(
            id: session.id, device: session.device, identity: identity, click: session.click, data: session.data,
            referrer: try session.referrer.flatMap(self.identity),
            hasApp: session.kind == .web ? try hasApp(session.device, in: session.scope) : false)
    }

    /// Starts a session.
    fileprivate func begin(_ beginning: SessionContext) throws -> StartedSession {
        let start = beginning.start
        let (evidence, decision) = try attribute(beginning)
        let user = try user(of: start, at: beginning.site)
        let referral = try referral(decision.match, beginning)
        let credited = referral.flatMap { $0.isAttributed ? $0 : nil }
        let kind = start.kind(ofDevice: user.isKnown, after: user.earlier)
        let isFirst = kind.isInstall || kind == .web && !user.isKnown
        let foreignURL = beginning.opened == nil ? start.opening.url : nil
        let data =
            referral.map { ReferringData.referred(by: $0, isFirstSession: isFirst) }
            ?? decision.ad.map { ReferringData.advertised(by: $0, isFirstSession: isFirst, foreignURL: foreignURL) }
            ?? ReferringData.organic(isFirstSession: isFirst, foreignURL: foreignURL)
        let session = Session(
            id: try newID(), scope: start.scope, device: user.device, identity: user.identity.id, kind: kind,
            link: credited?.link.id, click: start.isTrackingDisabled ? decision.match?.click : referral?.click,
            referrer: start.isReferrable == false ? nil : credited?.owner.flatMap { $0 == user.identity.id ? nil : $0 },
            data: data,
            explanation: decision.explanation(beginning.publicIDs), evidence: evidence)
        if !start.isTrackingDisabled {
            try insert(session)
            try noteDevice(beginning, user.device)
            try noteFirst(session, isFirst: isFirst, start)
            if let credited { try setLastTouch(credited.click, device: user.device, identity: user.identity.id) }
            try joinBrowsers(beginning, session)
            if beginning.exchangesAdTokens, decision.outcome != .matched, let token = start.appleAttributionToken {
                try insert(TokenExchange(session: session.id, token: token, dueAt: now))
            }
            try reward(session, from: beginning.address.all, beginning.rewardOrigin)
        }
        var started = try startedSession(session, user.identity)
        if !start.isTrackingDisabled { started.record = session }
        return started
    }

    /// Stores the parameters of an identity's first session and its referrer, unless the app says that its user does not count as referred.
    /// Where an open may count as well, the first link replaces a first session without one.
    private func noteFirst(_ session: Session, isFirst: Bool, _ start: SessionStart) throws {
        guard start.isReferrable != false else { return }
        if isFirst { try keepFirstSessionData(session.data, of: session.identity) }
        if start.isReferrable == true, session.link != nil,
            try firstSessionData(of: session.identity)?["+clicked_branch_link"] != true
        {
            try replaceFirstSessionData(session.data, of: session.identity)
        }
        if let referrer = session.referrer, start.isReferrable ?? isFirst {
            try setReferrer(referrer, of: session.identity)
        }
    }

    /// Returns the device and the identity of a session: found by their tokens, else by hardware id, else created. A device token alone
    /// identifies the identity, because the C++ SDK stores no other.
    private func user(of start: SessionStart, at site: Int64?) throws -> SessionUser {
        if start.isTrackingDisabled {
            let identity = Identity(id: try newID(), scope: start.scope, developerIdentity: start.developerIdentity)
            // An unknown visitor has no first session.
            return SessionUser(device: try newID(), identity: identity, isKnown: true)
        }
        let known = try knownDevice(start)
        let current = try currentUser(
            of: UserTokens(identity: start.identity ?? start.liteApp?.identity), device: known, in: start.scope)
        let identity = try user(after: current, on: known, start)
        let kind = start.kind(ofDevice: known != nil, after: known?.description.environment)
        func device(_ id: Device.ID) -> Device {
            Device(
                id: id, scope: start.scope, identity: identity.id, isBrowser: start.caller == .browser,
                installedAt: kind.isInstall ? now : nil, site: site, description: start.description)
        }
        if let known {
            try update(device(known.id), at: now)
            return SessionUser(device: known.id, identity: identity, isKnown: true, earlier: known.description.environment)
        }
        // A page may have the identity's token without the browser's id, which some browsers withhold from it.
        let isKnown = start.caller == .browser && current != nil
        // A browser keeps the id that it was given before it had a session.
        if start.caller == .browser, let id = start.device, id.isPlausible(at: now), try insert(device(id), at: now) {
            return SessionUser(device: id, identity: identity, isKnown: isKnown)
        }
        let id: Device.ID = try newID()
        _ = try insert(device(id), at: now)
        return SessionUser(device: id, identity: identity, isKnown: isKnown)
    }

    private func knownDevice(_ start: SessionStart) throws -> Device? {
        for id in [start.device, start.liteApp?.device].compactMap({ $0 }) {
            if let device = try device(id), device.scope == start.scope { return device }
        }
        if let hardwareID = start.description.hardwareID { return try device(hardwareID: hardwareID, in: start.scope) }
        guard start.caller == .server, let name = start.developerIdentity, let user = try identity(name, in: start.scope) else {
            return nil
        }
        return try device(of: user.id)
    }

    /// Returns the identity from this session on.
    private func user(after current: Identity?, on device: Device?, _ start: SessionStart) throws -> Identity {
        if let name = start.developerIdentity {
            return try current.map { try identity($0, saying: name) } ?? identity(named: name, in: start.scope)
        }
        guard let current else { return try newAnonymousIdentity(in: start.scope) }
        guard current.developerIdentity != nil, start.isLogoutWithoutIdentity else { return current }
        // A page keeps sending the token of its first visit, so that each visit after a logout looks like one.
        return try device.map { try logOut($0) } ?? newAnonymousIdentity(in: start.scope)
    }

    /// Gathers the evidence, decides and claims the click. If another device claimed it in between, decides again. A click identified by
    /// its id can be used any number of times, one that named the device only once. A page claims no click: the app may be launched after
    /// it.
    private func attribute(_ beginning: SessionContext) throws -> (Evidence, AttributionDecision) {
        let start = beginning.start
        let device = start.isTrackingDisabled ? nil : try knownDevice(start)?.id
        while true {
            let evidence = try evidence(
                for: start, on: device, link: beginning.opened, continuing: beginning.openedContinuesClick,
                address: beginning.address,
                addressClass: beginning.addressClass, at: now)
            let decision = AttributionPolicy.decide(evidence, beginning.rules)
            guard let match = decision.match else { return (evidence, decision) }
            if !start.isTrackingDisabled, start.caller != .browser, let id = match.click,
                let fingerprint = try click(id)?.fingerprint
            {
                let isFirst = try claim(id, fingerprint)
                if !isFirst, !match.isGuaranteed { continue }
            }
            if !start.isTrackingDisabled, decision.matcher == DeviceIDMatch.name, let id = match.click,
                let key = start.description.advertisingID, try !claim(id, namingDevice: key.lowercased(), in: start.scope)
            {
                continue
            }
            if try take(match, isTaken: beginning.openedContinuesClick) { return (evidence, decision) }
        }
    }

    /// Consumes a one-time link, and takes a click of a link that opened the app directly. Returns false if it is consumed or has no clicks
    /// left.
    private func take(_ match: Match, isTaken: Bool) throws -> Bool {
        guard match.link != .long, let link = try link(match.link), link.hasUsageLimit else { return true }
        if match.click == nil, !isTaken, link.limits.maxClicks != nil, try !takeClick(of: link.id) { return false }
        return try !link.isOneTimeUse || useUp(link.id, at: now)
    }

    /// Returns the referral of a match. A launch by the link itself is a click of its own, and is logged as one.
    private func referral(_ match: Match?, _ beginning: SessionContext) throws -> Referral? {
        guard let match else { return nil }
        if let id = match.click {
            guard let click = try click(id), let link = try link(of: click) else { return nil }
            return try referral(link, click, match, beginning.baseURL, beginning.publicIDs)
        }
        let start = beginning.start
        guard let link = beginning.opened, try link.isLong || self.link(link.id)?.deletedAt == nil else { return nil }
        let click = Click(
            id: try newID(), link: link.id, scope: link.scope,
            visitor: Visitor(description: start.description, country: beginning.country),
            address: beginning.address.current, addressClass: beginning.addressClass, site: beginning.site,
            userAgent: start.userAgent, referrer: start.opening.referrer,
            query: link.query ?? beginning.openedQuery ?? start.opening.url.flatMap { URLParts($0).query }, reason: nil,
            via: beginning.openedVia)
        if !start.isTrackingDisabled { try insert(click.kept(as: link.controlParameters(appended: click.query))) }
        return try referral(link, click, match, beginning.baseURL, beginning.publicIDs)
    }

    func referral(
        _ link: Link, _ click: Click, _ match: Match, _ baseURL: BaseURL, _ publicIDs: PublicIDs
    ) throws -> Referral {
        Referral(
            link: link, url: baseURL.url(of: link, appended: click.query), click: click.id,
            query: link.isLong ? [] : URLParts.queryItems(click.query ?? ""), referrer: click.referrer,
            owner: try owner(of: link, publicIDs), phone: try phone(behind: click), isGuaranteed: match.isGuaranteed)
    }

    /// Returns the phone number of the text message through which the visitor came to the link; nil if there was none.
    private func phone(behind click: Click) throws -> PhoneNumber? {
        guard let via = click.via, let message = try textMessage(TextMessage.ID(rawValue: via.rawValue)) else { return nil }
        return message.phone
    }

    /// Returns the identity that shared a link. A long link names it itself, so its token must belong to the same app.
    private func owner(of link: Link, _ publicIDs: PublicIDs) throws -> Identity.ID? {
        guard let query = link.query else { return link.owner }
        guard let id = LongLink(query: query).ownerToken.flatMap(publicIDs.identity(forShareToken:)),
            try identity(id)?.scope == link.scope
        else { return nil }
        return id
    }

    /// Records the device at its address, which measures the density of the address, and the token for Apple's attribution.
    private func noteDevice(_ beginning: SessionContext, _ device: Device.ID) throws {
        let start = beginning.start
        guard start.caller != .browser, start.caller != .server else { return }
        let description = start.app.app.configuration.matchesFingerprints ? start.description : DeviceDescription()
        try note(device: device, description, from: beginning.address.current, in: start.scope, time: now)
        if let token = start.appleAttributionToken { try setAppleAttributionToken(token, of: device) }
    }

    /// Records which browsers are beside the app: the one that reported its last click, and the one that made the click.
    private func joinBrowsers(_ beginning: SessionContext, _ session: Session) throws {
        let (start, addresses) = (beginning.start, beginning.address.all)
        guard start.caller != .browser else { return }
        if start.mayAskBrowser, let reported = try strongMatch(start.deviceKeys, from: addresses, in: start.scope, at: now) {
            try join(reported.browser, to: session.device, in: start.scope)
            try deleteStrongMatches(start.deviceKeys, from: addresses, in: start.scope)
        }
        // The click may have been made on a computer, whose browser is beside no app.
        if let click = try session.click.flatMap(click), click.visitor.platform != .desktop, let browser = click.browser {
            try join(browser, to: session.device, in: start.scope)
        }
    }
}

extension Visitor {
    /// A visitor that comes through the app itself.
    fileprivate init(description: DeviceDescription, country: String?) {
        self.init(
            platform: description.platform, os: description.os, osVersion: description.osVersion, model: description.model,
            country: country)
    }
}
