import LindenKernel

/// An event reported by an app or a page.
package struct Event: Sendable {
    package typealias ID = Identifier<Event>

    package let id: ID
    package let scope: Scope
    /// The endpoint of the call, such as `v2/event/standard`.
    package let endpoint: String
    package let name: String
    package let device: Device.ID?
    /// Whether the report has the device's token. Otherwise anyone who knows an id of it may have named it.
    package let isDeviceProven: Bool
    package let identity: Identity.ID?
    package let session: Session.ID?
    /// The touch that the event is attributed to, determined on arrival: the last click that led to the app, if it is within its window.
    package let touch: LastTouch?
    /// The fields parsed from the body.
    package let facts: EventFacts
    /// The revenue in the app's reporting currency, converted on arrival; nil if there is none, or if it could not be converted.
    package let revenue: Money?
    /// The complete body.
    package let body: JSONObject
    /// The body as compact JSON. Made before the transaction, because a body may have a megabyte.
    package let bodyText: String

    package init(
        id: ID, scope: Scope, endpoint: String, name: String, device: Device.ID?, isDeviceProven: Bool = true,
        identity: Identity.ID?, session: Session.ID?, touch: LastTouch?, facts: EventFacts, revenue: Money?, body: JSONObject,
        bodyText: String
    ) {
        self.id = id
        self.scope = scope
        self.endpoint = endpoint
        self.name = name
        self.device = device
        self.isDeviceProven = isDeviceProven
        self.identity = identity
        self.session = session
        self.touch = touch
        self.facts = facts
        self.revenue = revenue
        self.body = body
        self.bodyText = bodyText
    }

    /// The maximum length of a name in bytes. The body contains longer ones completely.
    package static let longestName = 255
}

/// An event as received.
package struct NewEvent: Sendable {
    package var endpoint: String
    package var name: String
    package var tokens: UserTokens
    /// The developer's user id, from SDKs that store it themselves.
    package var developerIdentity: String?
    /// The login state of the device; nil if the SDK reports it by other calls.
    package var loginState: LoginState?
    /// The device's hardware ids, from SDKs that send no token (iOS 0.21 to 0.27.1) and from servers.
    package var hardwareIDs: [String]
    package var advertisingIDs: [String]
    package var body: JSONObject
    package var facts: EventFacts
    package var requestKey: RequestKey?
    /// Whether the call was authenticated with the app's secret.
    package var isAuthenticated = false

    package init(
        endpoint: String, name: String, tokens: UserTokens, developerIdentity: String? = nil, loginState: LoginState? = nil,
        hardwareIDs: [String] = [], advertisingIDs: [String] = [], body: JSONObject, facts: EventFacts = EventFacts(),
        requestKey: RequestKey? = nil
    ) {
        self.loginState = loginState
        self.facts = facts
        self.requestKey = requestKey
        self.endpoint = endpoint
        self.name = name
        self.tokens = tokens
        self.developerIdentity = developerIdentity
        self.hardwareIDs = hardwareIDs
        self.advertisingIDs = advertisingIDs
        self.body = body
    }
}

package protocol EventReader {
    /// The problems of an app's events, latest first.
    func eventProblems(in scope: Scope) throws -> [EventProblemCount]
    /// Returns the stored body of an event as JSON; nil if the event is gone.
    func bodyText(of event: Event.ID) throws -> String?
}

package protocol EventRepository: EventReader {
    func insert(_ event: Event) throws
    func claim(_ claim: TransactionClaim, for event: Event.ID, in scope: Scope) throws -> TransactionClaim.Outcome
    /// Replaces the stored body of an event by compact JSON.
    func setBody(_ body: String, of event: Event.ID) throws
    func count(_ problem: EventProblem, of name: StandardEvent?, in scope: Scope) throws
}
