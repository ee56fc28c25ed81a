import LinkRouting

extension Transaction {
    /// Returns the referral of a match. A launch by the link itself is a click of its own, and is logged as one.
    func referral(_ match: Match?, _ beginning: SessionContext) throws -> Referral? {
        guard let match else { return nil }
        if let id = match.click {
            guard let click = try click(id), let link = try link(of: click, beginning) else { return nil }
            return try referral(link, click, match, beginning.baseURL, beginning.publicIDs)
        }
        let start = beginning.start
        guard let link = beginning.opened, try link.isLong || !isDeleted(link.id) else { return nil }
        let click = Click(
            id: try newID(), link: link.id, scope: link.scope,
            visitor: Visitor(description: start.description, country: beginning.country),
            address: beginning.address.current, addressClass: beginning.addressClass, site: beginning.site,
            userAgent: start.userAgent, referrer: start.opening.referrer,
            query: link.query ?? beginning.openedQuery ?? start.opening.url.flatMap { URLParts($0).query }, reason: nil,
            via: beginning.openedVia)
        if !start.isTrackingDisabled { try insert(click.kept(as: link.attributionOptions(appended: items(of: link, click)))) }
        return try referral(link, click, match, beginning.baseURL, beginning.publicIDs)
    }

    /// Returns the link of a click. If it was read before the transaction, only its status is read again.
    private func link(of click: Click, _ beginning: SessionContext) throws -> Link? {
        guard let clicked = beginning.clicked, click.id == beginning.start.opening.click else { return try link(of: click) }
        return try isDeleted(clicked.id) ? nil : clicked
    }

    private func isDeleted(_ id: Link.ID) throws -> Bool {
        try linkStatus(id)?.isDeleted == true
    }

    /// Returns the items that were appended to the link at the click. A long link's query is its own data.
    private func items(of link: Link, _ click: Click) -> [QueryItem] {
        link.isLong ? [] : URLParts.queryItems(click.query ?? "")
    }

    func referral(
        _ link: Link, _ click: Click, _ match: Match, _ baseURL: BaseURL, _ publicIDs: PublicIDs
    ) throws -> Referral {
        Referral(
            link: link, url: baseURL.url(of: link, appended: click.query), click: click.id,
            query: items(of: link, click), referrer: click.referrer,
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
}

extension Visitor {
    /// A visitor that comes through the app itself.
    fileprivate init(description: DeviceDescription, country: String?) {
        self.init(
            platform: description.platform, os: description.os, osVersion: description.osVersion, model: description.model,
            country: country)
    }
}
