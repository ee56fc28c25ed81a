import LinkRouting

/// A session that began: the tokens the SDK keeps and the parameters it hands to the app.
package struct StartedSession: Sendable {
    package let id: Session.ID
    package let device: Device.ID
    package let identity: Identity
    package let click: Click.ID?
    package let data: JSONObject
}

/// Begins and ends sessions. One transaction: gather what is known, decide, write.
package struct SessionService: Sendable {
    private let storage: any Storage
    private let links: LinkDirectory
    private let baseURL: BaseURL

    package init(storage: any Storage, links: LinkDirectory, baseURL: BaseURL) {
        self.storage = storage
        self.links = links
        self.baseURL = baseURL
    }

    package func start(_ start: SessionStart) async throws -> StartedSession {
        let opened = try await openedLink(start)
        let baseURL = baseURL
        return try await storage.write { transaction in
            if start.isTrackingDisabled { return try transaction.startedSession(start, opened, baseURL) }
            return try transaction.once(start.requestKey, in: start.scope, earlier: transaction.startedSession) {
                let session = try transaction.startedSession(start, opened, baseURL)
                return (session, session.id)
            }
        }
    }

    package func close(_ id: Session.ID, in scope: Scope) async throws {
        try await storage.write { try $0.closeSession(id, in: scope, at: $0.now) }
    }

    private func openedLink(_ start: SessionStart) async throws -> Link? {
        guard let url = start.opening.url, let found = try await links.link(url: url), found.link.scope == start.scope else {
            return nil
        }
        return found.link
    }
}

extension Transaction {
    /// A session that began before.
    fileprivate func startedSession(_ id: Session.ID) throws -> StartedSession? {
        guard let session = try session(id), let identity = try identity(session.identity) else { return nil }
        return StartedSession(
            id: id, device: session.device, identity: identity, click: session.click, data: session.data)
    }

    /// A session that begins now.
    fileprivate func startedSession(_ start: SessionStart, _ opened: Link?, _ baseURL: BaseURL) throws -> StartedSession {
        let decision = try attribute(start, to: opened)
        let user = try user(of: start)
        let match = decision.match
        let referral = try referral(match, start, baseURL)
        let isFirst = start.kind == .install
        let session = Session(
            id: try newID(), scope: start.scope, device: user.device, identity: user.identity.id, kind: start.kind,
            link: referral?.link.id, click: match?.click,
            data: referral.map { ReferringData.referred(by: $0, isFirstSession: isFirst) }
                ?? ReferringData.organic(isFirstSession: isFirst, foreignURL: opened == nil ? start.opening.url : nil),
            explanation: decision.explanation)
        if !start.isTrackingDisabled {
            try insert(session)
            if isFirst { try keepFirstSessionData(session.data, of: session.identity) }
        }
        return StartedSession(
            id: session.id, device: user.device, identity: user.identity, click: session.click, data: session.data)
    }

    /// The device and user of a session: found by their tokens, else by hardware id, else made.
    ///
    /// A device token alone finds its user (the C++ SDK keeps no other). Tokens of another app or mode count as none.
    fileprivate func user(of start: SessionStart) throws -> (device: Device.ID, identity: Identity) {
        if start.isTrackingDisabled {
            return (try newID(), Identity(id: try newID(), scope: start.scope, developerIdentity: start.developerIdentity))
        }
        let known = try knownDevice(start)
        var identity = try user(of: UserTokens(identity: start.identity), device: known, in: start.scope)
        if let name = start.developerIdentity { identity = try self.identity(identity, saying: name) }
        let device = Device(
            id: try known?.id ?? newID(), scope: start.scope, identity: identity.id, description: start.description)
        if known == nil {
            try insert(device, at: now)
        } else {
            try update(device, at: now)
        }
        return (device.id, identity)
    }

    private func knownDevice(_ start: SessionStart) throws -> Device? {
        if let id = start.device, let device = try device(id), device.scope == start.scope { return device }
        guard let hardwareID = start.description.hardwareID else { return nil }
        return try device(hardwareID: hardwareID, in: start.scope)
    }

    /// Gathers, decides and takes the click. If another device took it in between, the rest is decided anew; a click that came by
    /// its id stays good however often it comes.
    fileprivate func attribute(_ start: SessionStart, to opened: Link?) throws -> AttributionDecision {
        while true {
            let decision = AttributionPolicy.decide(try evidence(for: start, link: opened, at: now))
            guard !start.isTrackingDisabled, let match = decision.match, let id = match.click,
                let fingerprint = try click(id)?.fingerprint
            else { return decision }
            let isFirst = try claim(id, fingerprint)
            if isFirst || match.isGuaranteed { return decision }
        }
    }

    /// The link data behind a match. An opening by the link itself is a click of its own, and is logged as one.
    fileprivate func referral(_ match: Match?, _ start: SessionStart, _ baseURL: BaseURL) throws -> Referral? {
        guard let match, let link = try link(match.link), link.deletedAt == nil else { return nil }
        let url = baseURL.url(of: link.address)
        if let id = match.click, let click = try click(id) {
            return Referral(
                link: link, url: url, clickedAt: id.time, query: URLParts.queryItems(click.query ?? ""), referrer: click.referrer,
                isGuaranteed: match.isGuaranteed)
        }
        let query = start.opening.url.flatMap { URLParts($0).query }
        if !start.isTrackingDisabled {
            try insert(
                Click(
                    id: newID(), link: link.id, scope: link.scope, visitor: Visitor(description: start.description),
                    address: start.address.matchKey, userAgent: start.userAgent, referrer: nil, query: query, reason: nil))
        }
        return Referral(
            link: link, url: url, clickedAt: now, query: URLParts.queryItems(query ?? ""), referrer: nil,
            isGuaranteed: match.isGuaranteed)
    }
}

extension Click {
    /// What the click can be recognised by; nil if it never was open.
    fileprivate var fingerprint: Fingerprint? {
        guard visitor.robot == nil, let os = visitor.os, let version = visitor.osVersion else { return nil }
        return Fingerprint(scope: scope, address: address, os: os, osVersion: version)
    }
}

extension Visitor {
    /// Somebody who comes by the app itself.
    fileprivate init(description: DeviceDescription) {
        let platform: Platform = description.os == "iOS" ? .iOS : description.os == "Android" ? .android : .desktop
        self.init(platform: platform, os: description.os, osVersion: description.osVersion)
    }
}
