import Linden

/// A report of any generation: `/v1/event`, `/v2/event/standard`, `/v2/event/custom`, `/v1/pageview`, `/v1/register-view` and the like.
package struct EventRequest: Sendable {
    private let user: UserFields

    package init(_ body: RequestFields) {
        user = UserFields(body)
    }

    package var isTrackingDisabled: Bool { user.body.isTrackingDisabled }

    /// - Parameter fallback: the name of a report that has none of its own.
    package func event(endpoint: String, fallback: String, _ ids: PublicIDs) -> NewEvent {
        let body = user.body
        let secrets: Set<String> = ["branch_key", "branch_secret"]
        let name = body.text("name", "event")
        var reader = EventFactsReader(body, endpoint: endpoint, name: name)
        if !user.tellsSomebody { reader.note(.userMissing) }
        return NewEvent(
            endpoint: endpoint, name: name?.prefix(bytes: Event.longestName) ?? fallback, tokens: user.tokens(ids),
            developerIdentity: user.developerIdentity, loginState: user.loginState, hardwareIDs: user.hardwareIDs,
            advertisingIDs: user.advertisingIDs,
            body: body.members.filter { key, _ in !secrets.contains(key) }, facts: reader.facts,
            requestKey: body.requestKey(for: endpoint))
    }
}

extension String {
    /// So much of it, without a character that would be cut in two.
    fileprivate func prefix(bytes: Int) -> String {
        guard let end = utf8.index(startIndex, offsetBy: bytes, limitedBy: endIndex) else { return self }
        return String(unicodeScalars[..<end])
    }
}
