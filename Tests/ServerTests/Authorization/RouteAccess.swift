import HTTPTypes
import LindenKernel
import LindenTesting

/// The callers allowed on a route, and a call of it that is otherwise valid.
struct RouteAccess: Sendable {
    let route: String
    let allowed: Set<Caller>
    /// Callers of the other app, which are answered with data of their own app in place of Orchard's.
    let ownData: Set<Caller>
    /// Whether the first allowed caller takes away what the others would.
    let actsOnce: Bool
    private let target: @Sendable (AuthorizedApp, _ key: String) -> String
    private let fields: @Sendable (AuthorizedApp) -> JSONObject?
    private let isBulk: Bool
    /// The body of a call that sends no JSON.
    private let text: String?

    /// A route without path parameters.
    init(
        _ route: String, _ allowed: Set<Caller>, ownData: Set<Caller> = [], actsOnce: Bool = false,
        fields: @escaping @Sendable (AuthorizedApp) -> JSONObject? = { _ in nil }
    ) {
        let path = String(route.drop { $0 != " " }.dropFirst())
        self.init(route, allowed, { _, _ in path }, ownData: ownData, actsOnce: actsOnce, fields: fields)
    }

    init(
        _ route: String, _ allowed: Set<Caller>, _ target: @escaping @Sendable (AuthorizedApp, String) -> String,
        isBulk: Bool = false, ownData: Set<Caller> = [], actsOnce: Bool = false, text: String? = nil,
        fields: @escaping @Sendable (AuthorizedApp) -> JSONObject? = { _ in nil }
    ) {
        self.route = route
        self.allowed = allowed
        self.ownData = ownData
        self.actsOnce = actsOnce
        self.target = target
        self.fields = fields
        self.isBulk = isBulk
        self.text = text
    }

    private var method: HTTPRequest.Method { HTTPRequest.Method(rawValue: String(route.prefix { $0 != " " }))! }

    /// Returns the answer to the call with a caller's credentials: in the body if the call has one, otherwise in the query and a header.
    func answer(to caller: Caller, _ orchard: AuthorizedApp) async throws -> Exchange.Answer {
        try await answer(
            key: orchard.key(of: caller), secret: orchard.secret(of: caller), headers: orchard.headers(of: caller), orchard)
    }

    /// Returns the answer to the call with an access token.
    func answer(toToken token: String, _ orchard: AuthorizedApp) async throws -> Exchange.Answer {
        try await answer(key: nil, secret: nil, headers: [.authorization: "Bearer " + token], orchard)
    }

    private func answer(
        key: String?, secret: String?, headers: HTTPFields, _ orchard: AuthorizedApp
    ) async throws -> Exchange.Answer {
        var target = target(orchard, key ?? "none")
        var headers = headers
        var body = text.map { Array($0.utf8) }
        if let fields = fields(orchard) {
            var fields = fields
            if let key { fields["branch_key"] = .string(key) }
            if let secret { fields["branch_secret"] = .string(secret) }
            body = (isBulk ? JSON.array([.object(fields)]) : .object(fields)).bytes
        } else {
            if let key { target += (target.contains("?") ? "&" : "?") + "branch_key=" + key }
            if let secret { headers[HTTPField.Name("Branch-Secret")!] = secret }
        }
        return try await orchard.exchange.send(
            method, target, userAgent: UserAgents.iPhone, headers: headers, body: body)
    }
}
