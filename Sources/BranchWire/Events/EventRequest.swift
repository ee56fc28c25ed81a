import Linden
import LindenKernel

/// An event report of any generation: `/v1/event`, `/v2/event/standard`, `/v2/event/custom`, `/v1/pageview`, `/v1/register-view` and the
/// like.
package struct EventRequest: Sendable {
    private let user: UserFields

    package init(_ body: RequestFields) {
        user = UserFields(body)
    }

    package var isTrackingDisabled: Bool { user.body.isTrackingDisabled }

    /// - Parameters:
    ///   - fallback: the name of an event whose report has none.
    ///   - userAgent: the User-Agent of the request. It is stored as `user_agent` with a browser's event, unless the report has one.
    package func event(endpoint: String, fallback: String, userAgent: String = "", _ ids: PublicIDs) -> NewEvent {
        let body = user.body
        let name = body.text("name", "event")
        var reader = EventFactsReader(body, endpoint: endpoint, name: name)
        if !user.identifiesSender { reader.note(.userMissing) }
        return NewEvent(
            endpoint: endpoint, name: name?.prefix(bytes: Event.longestName) ?? fallback, tokens: user.tokens(ids),
            developerIdentity: user.developerIdentity, loginState: user.loginState, hardwareIDs: user.hardwareIDs,
            advertisingIDs: user.advertisingIDs,
            body: withUserAgent(userAgent, reader.facts.kind, body.members.without(Self.credentials)),
            facts: reader.facts,
            requestKey: body.requestKey(for: endpoint))
    }

    private static let credentials: JSONObject.Names = ["branch_key", "branch_secret"]

    private func withUserAgent(_ userAgent: String, _ kind: EventKind, _ members: JSONObject) -> JSONObject {
        let isWeb = WebQuirks.isWeb(user.body) || kind == .pageView || kind == .dismissal
        let isReported =
            members["user_agent"] != nil || ["user_data", "metadata"].contains { members[$0]?.object?["user_agent"] != nil }
        guard isWeb, !userAgent.isEmpty, !isReported else { return members }
        return members.merging(["user_agent": .string(Visit.shortened(userAgent: userAgent))])
    }
}
