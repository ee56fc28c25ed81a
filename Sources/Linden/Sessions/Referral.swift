import LindenKernel
import LinkRouting

/// The link and click that led to a session, whether or not it is attributed to them.
package struct Referral: Sendable {
    package let link: Link
    /// The link's URL with the query that was appended at the click.
    let url: String
    package let click: Click.ID
    let query: [QueryItem]
    /// The page on which the link was clicked.
    let referrer: String?
    /// The identity that shared the link.
    package let owner: Identity.ID?
    /// The phone number that the link was sent to by text message; nil if it was not.
    let phone: PhoneNumber?
    let isGuaranteed: Bool

    package init(
        link: Link, url: String, click: Click.ID, query: [QueryItem] = [], referrer: String? = nil, owner: Identity.ID? = nil,
        phone: PhoneNumber? = nil, isGuaranteed: Bool
    ) {
        self.link = link
        self.url = url
        self.click = click
        self.query = query
        self.referrer = referrer
        self.owner = owner
        self.phone = phone
        self.isGuaranteed = isGuaranteed
    }

    /// Whether sessions and events are attributed to the link.
    package var isAttributed: Bool { !link.attributionOptions(appended: query).isWithoutAttribution }
}

extension IdentityReader where Self: TextMessageReader {
    /// Returns the referral of a click, with the identity that shared the link and the phone of a text message that led to it.
    package func referral(
        _ link: Link, _ click: Click, _ match: Match, _ baseURL: BaseURL, _ publicIDs: PublicIDs
    ) throws -> Referral {
        Referral(
            link: link, url: baseURL.url(of: link, appended: click.query), click: click.id,
            query: link.appendedItems(at: click), referrer: click.referrer,
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

extension Link {
    /// Returns the items that were appended to the link at the click. A long link's query is its own data.
    func appendedItems(at click: Click) -> [QueryItem] {
        isLong ? [] : URLParts.queryItems(click.query ?? "")
    }
}
