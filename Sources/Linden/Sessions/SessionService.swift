import LinkRouting

/// A session that began: the tokens the SDK keeps and the parameters it hands to the app.
package struct StartedSession: Sendable {
    package let id: Session.ID
    package let device: Device.ID
    package let identity: Identity
    package let click: Click.ID?
    package var data: JSONObject
    /// The user who shared the link that led here.
    package let referrer: Identity?
    /// Whether the browser that the session is in is known to be beside the app; false for the app itself.
    package let hasApp: Bool
    /// What was stored of it now; nil for a retry, and where tracking is disabled.
    fileprivate var record: Session?

    /// Bytes that were stored for it: the data of the link that led to it, which is kept twice for a first session, and why it was given to
    /// that link.
    package var storedBytes: Int {
        guard let record else { return 0 }
        return 2 * JSON.object(record.data).bytes.count + record.explanation.bytes.count + (record.evidence?.json.bytes.count ?? 0)
    }
}

/// Begins and ends sessions. One transaction: gather what is known, decide, write.
package struct SessionService: Sendable {
    private let storage: any Storage
    private let links: LinkDirectory
    private let baseURL: BaseURL
    private let publicIDs: PublicIDs
    private let country: CountryLookup
    private let addressClass: AddressClassLookup
    private let addresses: AddressBook
    private let exchangesAdTokens: Bool
    private let rules: AttributionRules
    private let clock: WallClock

    package init(
        storage: any Storage, links: LinkDirectory, baseURL: BaseURL, publicIDs: PublicIDs, country: @escaping CountryLookup,
        addressClass: @escaping AddressClassLookup, addresses: AddressBook, exchangesAdTokens: Bool, rules: AttributionRules,
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
        let beginning = SessionBeginning(
            start: start, opened: found?.link, openedQuery: found?.clickedQuery, openedVia: found?.via,
            openedGoesOn: found?.isGoingOn(at: clock.now()) ?? false, country: found == nil ? nil : country(start.address),
            address: start.isTrackingDisabled ? KeptAddress([]) : try await addresses.kept(start.address),
            addressClass: addressClass(start.address),
            // A server has shown the secret.
            rewardOrigin: start.isTrackingDisabled || start.caller == .server
                ? nil : try await addresses.rewardOrigin(start.address),
            exchangesAdTokens: exchangesAdTokens, rules: rules, baseURL: baseURL, publicIDs: publicIDs)
        var session = try await storage.write { transaction in
            if start.isTrackingDisabled { return try transaction.begin(beginning) }
            return try transaction.once(start.requestKey, in: start.scope, earlier: transaction.startedSession) {
                let session = try transaction.begin(beginning)
                return (session, session.id)
            }
        }
        // Only now, since patterns are not to be read while others wait for the writer. A page opens nothing in the app.
        if start.caller != .browser { session.data = start.app.namingRoute(in: session.data, on: start.description.platform) }
        return session
    }

    package func close(_ id: Session.ID, in scope: Scope) async throws {
        try await storage.write { try $0.closeSession(id, in: scope, at: $0.now) }
    }

    private func openedLink(_ start: SessionStart) async throws -> FoundLink? {
        guard let url = start.opening.url, let found = try await links.link(url: url), found.link.scope == start.scope else {
            return nil
        }
        return found
    }
}

/// A session that is to begin, with all that was looked up before its transaction.
private struct SessionBeginning: Sendable {
    let start: SessionStart
    /// The link in the opening, if it is one of the app's.
    let opened: Link?
    /// What was appended to it when it was clicked, if a click of it is in the opening.
    let openedQuery: String?
    /// That click.
    let openedVia: Click.ID?
    /// Whether it was a moment ago, so that the opening takes no other of the link's clicks.
    let openedGoesOn: Bool
    /// Where it begins.
    let country: String?
    let address: KeptAddress
    let addressClass: AddressClass
    /// Nil for a caller whose rewards have no limits.
    let rewardOrigin: RewardOrigin?
    /// Whether Apple is to be asked for the ad behind a token.
    let exchangesAdTokens: Bool
    let rules: AttributionRules
    let baseURL: BaseURL
    let publicIDs: PublicIDs
}

/// On which device a session is, and of whom.
private struct SessionUser {
    let device: Device.ID
    let identity: Identity
    /// Whether the device was seen before.
    let isKnown: Bool
    /// What of the app it had then.
    var earlier: AppEnvironment?
}

extension Transaction {
    /// A session that began before.
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

    /// A session that begins now.
    fileprivate func begin(_ beginning: SessionBeginning) throws -> StartedSession {
        let start = beginning.start
        let (evidence, decision) = try attribute(beginning)
        let user = try user(of: start)
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

    /// Keeps what a user's first session was answered with and who brought him, unless he is not to count as brought. Where an open may
    /// bring somebody, too, the first link takes the place of a first session without one.
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

    /// The device and user of a session: found by their tokens, else by hardware id, else made. A device token alone finds its user: the
    /// C++ SDK keeps no other.
    private func user(of start: SessionStart) throws -> SessionUser {
        if start.isTrackingDisabled {
            let identity = Identity(id: try newID(), scope: start.scope, developerIdentity: start.developerIdentity)
            // Who is not known is nobody's first time.
            return SessionUser(device: try newID(), identity: identity, isKnown: true)
        }
        let known = try knownDevice(start)
        let current = try currentUser(
            of: UserTokens(identity: start.identity ?? start.trial?.identity), device: known, in: start.scope)
        let identity = try user(after: current, on: known, start)
        let kind = start.kind(ofDevice: known != nil, after: known?.description.environment)
        func device(_ id: Device.ID) -> Device {
            Device(
                id: id, scope: start.scope, identity: identity.id, isBrowser: start.caller == .browser,
                installedAt: kind.isInstall ? now : nil, description: start.description)
        }
        if let known {
            try update(device(known.id), at: now)
            return SessionUser(device: known.id, identity: identity, isKnown: true, earlier: known.description.environment)
        }
        // A page may remember its user without its browser's number, which some browsers keep from it.
        let isKnown = start.caller == .browser && current != nil
        // A browser keeps the number that it was given before it had a session.
        if start.caller == .browser, let id = start.device, id.isPlausible(at: now), try insert(device(id), at: now) {
            return SessionUser(device: id, identity: identity, isKnown: isKnown)
        }
        let id: Device.ID = try newID()
        _ = try insert(device(id), at: now)
        return SessionUser(device: id, identity: identity, isKnown: isKnown)
    }

    private func knownDevice(_ start: SessionStart) throws -> Device? {
        for id in [start.device, start.trial?.device].compactMap({ $0 }) {
            if let device = try device(id), device.scope == start.scope { return device }
        }
        if let hardwareID = start.description.hardwareID { return try device(hardwareID: hardwareID, in: start.scope) }
        guard start.caller == .server, let name = start.developerIdentity, let user = try identity(name, in: start.scope) else {
            return nil
        }
        return try device(of: user.id)
    }

    /// The user from this session on.
    private func user(after current: Identity?, on device: Device?, _ start: SessionStart) throws -> Identity {
        if let name = start.developerIdentity {
            return try current.map { try identity($0, saying: name) } ?? identity(named: name, in: start.scope)
        }
        guard let current else { return try newAnonymousIdentity(in: start.scope) }
        guard current.developerIdentity != nil, start.isLogoutWithoutIdentity else { return current }
        // A page goes on sending the token of its first visit, so that each visit after a logout looks like one.
        return try device.map { try logOut($0) } ?? newAnonymousIdentity(in: start.scope)
    }

    /// Gathers, decides and takes the click. If another device took it in between, the rest is decided anew; a click that came by
    /// its id stays good however often it comes, one that named the device is good once. A page takes none away: the app may be opened after it.
    private func attribute(_ beginning: SessionBeginning) throws -> (Evidence, AttributionDecision) {
        let start = beginning.start
        let device = start.isTrackingDisabled ? nil : try knownDevice(start)?.id
        while true {
            let evidence = try evidence(
                for: start, on: device, link: beginning.opened, goingOn: beginning.openedGoesOn, address: beginning.address,
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
            if try take(match, isTaken: beginning.openedGoesOn) { return (evidence, decision) }
        }
    }

    /// Uses a one-time link up, and takes a click of one that is opened itself. False if somebody was faster.
    private func take(_ match: Match, isTaken: Bool) throws -> Bool {
        guard match.link != .long, let link = try link(match.link), link.isCounted else { return true }
        if match.click == nil, !isTaken, link.limits.maxClicks != nil, try !takeClick(of: link.id) { return false }
        return try !link.isOneTimeUse || useUp(link.id, at: now)
    }

    /// The link data behind a match. An opening by the link itself is a click of its own, and is logged as one.
    private func referral(_ match: Match?, _ beginning: SessionBeginning) throws -> Referral? {
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
            address: beginning.address.current, addressClass: beginning.addressClass, userAgent: start.userAgent,
            referrer: start.opening.referrer,
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

    /// Where the text message was sent by which somebody came to the link.
    private func phone(behind click: Click) throws -> PhoneNumber? {
        guard let via = click.via, let message = try textMessage(TextMessage.ID(rawValue: via.rawValue)) else { return nil }
        return message.phone
    }

    /// Who shared a link. Whoever made up a long link says so himself, so his token must be one of the app.
    private func owner(of link: Link, _ publicIDs: PublicIDs) throws -> Identity.ID? {
        guard let query = link.query else { return link.owner }
        guard let id = LongLink(query: query).ownerToken.flatMap(publicIDs.identity(forShareToken:)),
            try identity(id)?.scope == link.scope
        else { return nil }
        return id
    }

    /// Notes where the device is, by which the crowd behind an address is measured, and what Apple may be asked about it.
    private func noteDevice(_ beginning: SessionBeginning, _ device: Device.ID) throws {
        let start = beginning.start
        guard start.caller != .browser, start.caller != .server else { return }
        let description = start.app.app.configuration.matchesFingerprints ? start.description : DeviceDescription()
        try note(device: device, description, from: beginning.address.current, in: start.scope, time: now)
        if let token = start.appleAttributionToken { try setAppleAttributionToken(token, of: device) }
    }

    /// Notes which browsers are beside the app: the one that told of its last click, and the one that made the click.
    private func joinBrowsers(_ beginning: SessionBeginning, _ session: Session) throws {
        let (start, addresses) = (beginning.start, beginning.address.all)
        guard start.caller != .browser else { return }
        if start.mayAskBrowser, let told = try strongMatch(start.deviceKeys, from: addresses, in: start.scope, at: now) {
            try join(told.browser, to: session.device, in: start.scope)
            try deleteStrongMatches(start.deviceKeys, from: addresses, in: start.scope)
        }
        // The click that led here may be one on a computer, whose browser is beside no app.
        if let click = try session.click.flatMap(click), click.visitor.platform != .desktop, let browser = click.browser {
            try join(browser, to: session.device, in: start.scope)
        }
    }
}

extension Visitor {
    /// Somebody who comes by the app itself.
    fileprivate init(description: DeviceDescription, country: String?) {
        self.init(
            platform: description.platform, os: description.os, osVersion: description.osVersion, model: description.model,
            country: country)
    }
}
