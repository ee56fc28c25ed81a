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
    /// Returns the referral of a click, with who shared the link and, unless the match is a guess, the phone of the message that led there.
    ///
    /// - Parameter isStrict: whether the phone and the page that the click came from are kept secret: a page that the link leads to gets
    ///   the click's id, by which it could open a session as the app does.
    package func referral(
        _ link: Link, _ click: Click, _ match: Match, _ baseURL: BaseURL, _ publicIDs: PublicIDs, isStrict: Bool
    ) throws -> Referral {
        Referral(
            link: link, url: baseURL.url(of: link, appended: click.query), click: click.id,
            query: link.appendedItems(at: click), referrer: isStrict ? nil : click.referrer,
            owner: try owner(of: link, publicIDs), phone: isStrict || !match.isGuaranteed ? nil : try phone(behind: click),
            isGuaranteed: match.isGuaranteed)
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

extension LinkReader where Self: AppContextReader {
    /// Returns the link of a click; nil if it or its app is gone.
    package func link(of click: Click) throws -> Link? {
        try link(click.link, query: click.query, in: click.scope, at: click.id.time)
    }

    /// Returns the link of a text message; nil if it or its app is gone.
    func link(of message: TextMessage) throws -> Link? {
        try link(message.link, query: message.query, in: message.scope, at: message.id.time)
    }

    private func link(_ id: Link.ID, query: String?, in scope: Scope, at time: Timestamp) throws -> Link? {
        guard id == .long else { return try link(id).flatMap { $0.deletedAt == nil ? $0 : nil } }
        return try appContext(scope: scope, withRoutes: false).map { .long(query: query ?? "", of: $0, at: time) }
    }
}

/// The parameters that an app's SDK hands to the app: the link's own data and those the click adds (Branch's deep-link reference, "what a
/// session gets").
package enum ReferringData {
    /// Returns the parameters of an app opened without a link. The keys `+clicked_branch_link` and `+is_first_session` are always present.
    package static func organic(isFirstSession: Bool, foreignURL: String?) -> JSONObject {
        var data: JSONObject = ["+clicked_branch_link": false, "+is_first_session": .bool(isFirstSession)]
        if let foreignURL { data["+non_branch_link"] = .string(foreignURL) }
        return data
    }

    /// Returns the parameters of an app whose launch is attributed to an App Store search ad: Apple's labels, and no link.
    package static func advertised(by ad: Evidence.SearchAdAttribution, isFirstSession: Bool, foreignURL: String?) -> JSONObject {
        var data = ad.labels.merging(organic(isFirstSession: isFirstSession, foreignURL: foreignURL))
        data["+match_guaranteed"] = true
        return data
    }

    package static func referred(by referral: Referral, isFirstSession: Bool) -> JSONObject {
        var data = touch(referral)
        data["+match_guaranteed"] = .bool(referral.isGuaranteed)
        data["+clicked_branch_link"] = true
        data["+is_first_session"] = .bool(isFirstSession)
        return data
    }

    /// Returns parameters as they are stored: without the phone number, which may have to be erased.
    package static func stored(_ parameters: JSONObject) -> JSONObject {
        var stored = parameters
        stored["+phone_number"] = nil
        return stored
    }

    /// Returns the data of the link and its click, without the session's own keys.
    package static func touch(_ referral: Referral) -> JSONObject {
        let link = referral.link
        var data = link.data
        for (name, value) in link.labels.members { data["~" + name] = value }
        if link.hasAlias { data["~alias"] = .string(link.address.path) }
        if let duration = link.duration { data["~duration"] = .integer(duration) }
        merge(referral.query, into: &data)
        if data["$one_time_use"] == nil { data["$one_time_use"] = .bool(link.isOneTimeUse) }
        data["~id"] = .string(String(link.id.rawValue))
        data["~creation_source"] = .integer(link.source.rawValue)
        data["~referring_link"] = .string(referral.url)
        data["+url"] = .string(referral.url)
        data["+click_timestamp"] = .integer(referral.click.time.seconds)
        // None that the link's data claims: an app takes the number as confirmed.
        data["+phone_number"] = referral.phone.map { .string($0.text) }
        data["+referrer"] = referral.referrer.map { .string($0) }
        return data
    }

    /// Adds the items appended to the link when it was clicked. Values are text; labels count with or without their tilde. Keys that Branch
    /// drops and keys that Linden sets itself are skipped.
    private static func merge(_ query: [QueryItem], into data: inout JSONObject) {
        let tags = query.filter { ["tags", "tags[]", "~tags", "~tags[]"].contains($0.name.ifASCII) }.map(\.value)
        if !tags.isEmpty { data["~tags"] = JSON(tags) }
        for item in query {
            switch item.name.ifASCII {
            case "channel", "feature", "campaign", "stage": data["~" + item.name] = .string(item.value)
            case "tags", "tags[]", "~tags", "~tags[]": continue
            case _ where LinkQuery.isDropped(item.name): continue
            default: data[item.name] = .string(item.value)
            }
        }
    }
}
