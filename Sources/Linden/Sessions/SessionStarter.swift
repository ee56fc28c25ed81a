import LindenKernel
import LinkRouting

/// A read-write transaction, as far as the start of a session needs it.
package protocol SessionTransaction: LoginTransaction, EvidenceReader, AppContextReader, LinkRepository, ClickRepository,
    BrowserRepository, AddressRepository, TokenExchangeRepository, TextMessageReader
{}

/// The start of a session within a transaction: the claim of its click, device and identity, the session itself, and its rewards.
struct SessionStarter {
    let transaction: any SessionTransaction
    let context: SessionContext
    let attribution: Attribution

    var start: SessionStart { context.start }

    // MARK: The session

    /// Returns the session that an earlier try of the same request started.
    func recordedSession(_ id: Session.ID) throws -> SessionResult? {
        guard let record = try transaction.sessionRecord(id),
            let identity = try transaction.identity(record.reference.identity)
        else { return nil }
        return SessionResult(
            session: try startedSession(record.reference, record.kind, of: identity, referrer: record.referrer, data: [:]),
            dataText: record.dataText)
    }

    private func startedSession(
        _ session: SessionReference, _ kind: Session.Kind, of identity: Identity, referrer: Identity.ID?, data: JSONObject
    ) throws -> StartedSession {
        StartedSession(
            id: session.id, device: session.device, identity: identity, click: session.click, data: data,
            referrer: try referrer.flatMap { try transaction.identity($0) },
            hasApp: kind == .web ? try transaction.hasApp(session.device, in: session.scope) : false,
            mayShare: try mayActFor(identity, on: session.device))
    }

    /// Starts a session. Throws ``OutdatedAttribution`` if what it was decided from has changed since; the transaction must then be
    /// rolled back, since the click may be claimed.
    func begin() throws -> StartedSession {
        let start = start
        let known = start.isTrackingDisabled ? nil : try transaction.device(of: start)
        let decision = attribution.decision
        // The link that opened the app may come from the cache, so its status is read. That of a click was just read.
        let opened = try decision.match.flatMap { $0.click != nil || $0.link == .long ? nil : try transaction.linkStatus($0.link) }
        try claim(for: known?.id, opened)
        let user = try user(on: known)
        let referral = opened?.isDeleted == true ? nil : try referral(decision.match, attribution.clicked)
        let credited = referral.flatMap { $0.isAttributed ? $0 : nil }
        let kind = start.kind(ofDevice: user.isKnown, after: user.earlier)
        let isFirst = kind.isInstall || (kind == .web && !user.isKnown)
        var evidence = attribution.evidence
        var referrer = evidence.mayBeReferred ? credited?.owner : nil
        // The user's own link refers no user.
        if referrer == user.identity.id { referrer = nil }
        let hasLedAnother = try referrer != nil && ledAnotherDeviceHere(decision.match?.click, besides: [user.device, known?.id])
        if hasLedAnother {
            referrer = nil
            evidence.mayBeReferred = false
        }
        let note = try hasLedAnother ? Self.usedClick : noteOnReferral(by: referrer, of: user)
        let parameters = parameters(referral, isFirst: isFirst)
        let session = Session(
            id: try transaction.newID(), scope: start.scope, device: user.device, identity: user.identity.id, kind: kind,
            link: credited?.link.id, click: start.isTrackingDisabled ? decision.match?.click : referral?.click,
            referrer: referrer, data: ReferringData.stored(parameters),
            explanation: StoredDecision(decision, note: note), evidence: evidence)
        let storedBytes =
            try start.isTrackingDisabled ? 0 : store(session, of: user, referral, touch: credited?.click, isFirst: isFirst)
        var started = try startedSession(
            session.reference, session.kind, of: user.identity, referrer: session.referrer, data: parameters)
        started.storedBytes = storedBytes
        started.attribution = (decision.outcome, decision.matcher ?? decision.refusal?.rawValue ?? "")
        return started
    }

    /// Returns the parameters that the app gets.
    private func parameters(_ referral: Referral?, isFirst: Bool) -> JSONObject {
        referral.map { ReferringData.referred(by: $0, isFirstSession: isFirst) }
            ?? attribution.decision.ad.map {
                ReferringData.advertised(by: $0, isFirstSession: isFirst, foreignURL: context.foreignURL)
            }
            ?? ReferringData.organic(isFirstSession: isFirst, foreignURL: context.foreignURL)
    }

    /// Stores a session and what it changes. Returns the bytes that it takes.
    ///
    /// - Parameter touch: the click that is the last touch of the user from now on.
    private func store(
        _ session: Session, of user: SessionUser, _ referral: Referral?, touch: Click.ID?, isFirst: Bool
    ) throws -> Int {
        let bytes = try transaction.insert(session)
        try record(session, of: user, touch: touch, isFirst: isFirst)
        try recordDevice(user.device)
        if !user.isDeviceOfAnotherUser {
            try joinBrowsers(session, referral == nil ? nil : attribution.clicked, isGuessed: referral?.isGuaranteed != true)
        }
        if context.exchangesAdToken, attribution.decision.outcome != .matched, let token = start.appleAttributionToken {
            try transaction.insert(
                TokenExchange(session: session.id, app: start.scope.app, token: token, state: JobState(dueAt: transaction.now)))
        }
        // Records the referral and signs of fraud, and posts the credits of the reward rules that the session meets.
        try transaction.ledgerRecorder.reward(session, from: context.address.all, context.rewardOrigin)
        return 2 * bytes.data + bytes.decision
    }

    /// Whether a session on a device concerns all of the identity, such as its last touch: with `security=strict`, only on its own device.
    private func mayActFor(_ identity: Identity, on device: Device.ID) throws -> Bool {
        try !start.app.app.configuration.isStrict || isOwn(device, of: identity)
    }

    /// Whether an identity is anonymous, or the device is its first. On other devices, anyone who knows the user's name may have sent it.
    private func isOwn(_ device: Device.ID, of identity: Identity) throws -> Bool {
        try identity.developerIdentity == nil || transaction.firstDevice(of: identity.id) == device
    }

    /// Stores what a session changes of its user: the first session, the referrer and the last touch. A new user is inserted with them.
    private func record(_ session: Session, of user: SessionUser, touch: Click.ID?, isFirst: Bool) throws {
        let first = firstSession(session, isFirst: isFirst)
        if let device = user.newDevice {
            return try transaction.insert(
                user.identity, on: device, firstSession: first.storesData || first.mayReplaceData ? session.id : nil,
                referrer: first.referrer, lastClick: touch, at: transaction.now)
        }
        try record(first, session, of: user)
        if let touch {
            try transaction.setLastTouch(
                touch, device: user.isDeviceOfAnotherUser || start.isByName && start.device != user.device ? nil : user.device,
                identity: try mayActFor(user.identity, on: user.device) ? user.identity.id : nil)
        }
    }

    /// What a session may change of its identity's first session.
    private struct FirstSession {
        /// Whether the session's parameters are kept, unless those of an earlier one are.
        var storesData = false
        /// Whether they replace those of a first session without a link.
        var mayReplaceData = false
        var referrer: Identity.ID?

        var isEmpty: Bool { !storesData && !mayReplaceData && referrer == nil }
    }

    /// Nothing if the app says that its user does not count as referred. Where an open may count as well, the first link on the user's own
    /// device replaces a first session without one.
    private func firstSession(_ session: Session, isFirst: Bool) -> FirstSession {
        guard start.isReferrable != false else { return FirstSession() }
        return FirstSession(
            storesData: isFirst, mayReplaceData: start.isReferrable == true && session.link != nil,
            referrer: start.isReferrable ?? isFirst ? session.referrer : nil)
    }

    /// Stores the parameters of an identity's first session and its referrer.
    private func record(_ first: FirstSession, _ session: Session, of user: SessionUser) throws {
        guard try !first.isEmpty && isOwn(user.device, of: user.identity) else { return }
        if first.storesData { try transaction.copyFirstSessionData(from: session, replaces: false) }
        if first.mayReplaceData, try !transaction.hasFirstSessionLink(session.identity) {
            try transaction.copyFirstSessionData(from: session, replaces: true)
        }
        if let referrer = first.referrer { try transaction.setReferrer(referrer, of: session.identity) }
    }

    // MARK: Attribution

    /// Claims the click that matched. A click identified by its id can be used any number of times, one that named the device only once. A
    /// page claims no click and consumes no link: the app may be launched after it.
    ///
    /// - Parameters:
    ///   - device: the device, if it is known now.
    ///   - opened: the status of the link that matched without a click; nil for a long link.
    private func claim(for device: Device.ID?, _ opened: LinkStatus?) throws {
        guard attribution.device == device else { throw OutdatedAttribution() }
        guard let match = attribution.decision.match, start.caller != .browser else { return }
        if !start.isTrackingDisabled, let click = match.click {
            let isFirst = try transaction.claim(click)
            guard try isFirst || match.isGuaranteed && transaction.click(click) != nil else { throw OutdatedAttribution() }
            if attribution.decision.matcher == DeviceIDMatch.name, let key = start.description.advertisingID,
                try !transaction.claim(click, namingDevice: key.lowercased(), in: start.scope)
            {
                throw OutdatedAttribution()
            }
        }
        guard try take(match, opened) else { throw OutdatedAttribution() }
    }

    private static let usedClick = "The click led another device here before, so this user does not count as referred."

    /// Returns why a user whose session has a referrer is not referred; nil if the user is.
    private func noteOnReferral(by referrer: Identity.ID?, of user: SessionUser) throws -> String? {
        guard referrer != nil, user.newDevice == nil, try !transaction.countsReferrals(user.device, of: user.identity.id) else {
            return nil
        }
        return "The user had another device before, so this session does not count as referred."
    }

    /// Whether a click led another device to the app before; for a page, another browser to a page. A click refers one user, however many
    /// devices report its id: anyone can make up devices.
    ///
    /// - Parameter own: the device of the session, and the one that its launch names.
    private func ledAnotherDeviceHere(_ click: Click.ID?, besides own: [Device.ID?]) throws -> Bool {
        let first = try click.flatMap { try transaction.session(claiming: $0, isPage: start.caller == .browser) }
        return first.map { !own.contains($0.device) } ?? false
    }

    /// Consumes a one-time link, and takes a click of a link that opened the app directly. Returns false if it is consumed or has no clicks
    /// left.
    private func take(_ match: Match, _ opened: LinkStatus?) throws -> Bool {
        let takesClick = opened?.hasClickLimit == true && !context.openedContinuesClick
        if takesClick, try !transaction.takeClick(of: match.link) { return false }
        let isOneTimeUse = opened?.isOneTimeUse ?? attribution.clicked?.link.isOneTimeUse ?? false
        return try match.link == .long || !isOneTimeUse || transaction.useUp(match.link, at: transaction.now)
    }

    // MARK: The referral

    /// Returns the referral of a match. A launch by the link itself is a click of its own, and is logged as one.
    private func referral(_ match: Match?, _ clicked: ClickedLink?) throws -> Referral? {
        guard let match else { return nil }
        if match.click != nil { return try clicked.map { try referral($0.link, $0.click, match) } }
        guard let link = context.opened else { return nil }
        let click = Click(
            id: try transaction.newID(), link: link.id, scope: link.scope,
            visitor: Visitor(description: start.description, country: context.country),
            address: context.address.current, addressClass: context.addressClass, site: context.site,
            userAgent: start.userAgent, referrer: start.opening.referrer,
            query: link.query ?? context.openedQuery ?? start.opening.url.flatMap { URLParts($0).query }, reason: nil,
            via: context.openedVia, longLink: link.longLinkRecord(withLabels: true))
        if !start.isTrackingDisabled {
            try transaction.insert(click.kept(as: link.attributionOptions(appended: link.appendedItems(at: click))))
        }
        return try referral(link, click, match)
    }

    private func referral(_ link: Link, _ click: Click, _ match: Match) throws -> Referral {
        try transaction.referral(
            link, click, match, context.baseURL, context.publicIDs, isStrict: start.app.app.configuration.isStrict)
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
