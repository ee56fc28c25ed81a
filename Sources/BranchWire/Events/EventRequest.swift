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
        return NewEvent(
            endpoint: endpoint, name: body.text("name", "event") ?? fallback, tokens: user.tokens(ids),
            developerIdentity: user.developerIdentity, hardwareIDs: user.hardwareIDs, advertisingIDs: user.advertisingIDs,
            body: body.members.filter { key, _ in !secrets.contains(key) },
            requestKey: body.requestKey(for: endpoint))
    }
}
