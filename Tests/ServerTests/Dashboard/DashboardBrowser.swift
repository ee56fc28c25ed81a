import Dashboard
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// A browser at the dashboard: it keeps one cookie, and says where its forms come from.
struct DashboardBrowser {
    static let password = "a crate of twelve apples"

    let exchange: Exchange
    /// The cookie as it is sent, such as `__Host-linden=…`; nil without one.
    var cookie: String?
    var host: String?

    init(_ exchange: Exchange, host: String? = nil) {
        self.exchange = exchange
        self.host = host
    }

    /// Creates a user with a password, and signs in.
    init(
        _ exchange: Exchange, as role: DashboardUser.Role, app: App.ID? = nil, name: String = "ann@orchard.example",
        host: String? = nil
    ) async throws {
        self.init(exchange, host: host)
        let secret = try await exchange.services.dashboardUsers.create(name: name, role: role, app: app).secret
        _ = try await exchange.services.dashboardUsers.setPassword(Self.password, with: secret)
        let answer = try await signIn(name)
        try #require(answer.status == 303, "\(answer.body)")
    }

    @discardableResult
    mutating func signIn(_ name: String, _ password: String = password, to: String = "") async throws -> Exchange.Answer {
        try await submit("/dashboard/sign-in", ["name": name, "password": password, "to": to])
    }

    func get(_ path: String) async throws -> Exchange.Answer {
        var headers: HTTPFields = [.accept: "text/html"]
        if let cookie { headers[.cookie] = cookie }
        return try await exchange.get(path, host: host, userAgent: UserAgents.desktop, headers: headers)
    }

    /// Sends a form. By default it comes from one of the dashboard's own pages.
    ///
    /// - Parameter more: further fields as they are sent, for names that are there more than once.
    mutating func submit(
        _ path: String, _ fields: [String: String] = [:], also more: String = "",
        from site: HTTPFields = [.init("Sec-Fetch-Site")!: "same-origin"]
    ) async throws -> Exchange.Answer {
        var headers: HTTPFields = [.accept: "text/html", .contentType: "application/x-www-form-urlencoded"]
        headers.append(contentsOf: site)
        if let cookie { headers[.cookie] = cookie }
        let body =
            fields.sorted { $0.key < $1.key }.map { "\(Self.encoded($0.key))=\(Self.encoded($0.value))" }.joined(
                separator: "&") + (more.isEmpty ? "" : "&" + more)
        let answer = try await exchange.send(
            .post, path, host: host, userAgent: UserAgents.desktop, headers: headers, body: Array(body.utf8))
        if let set = answer.headers[.setCookie] { cookie = String(set.prefix { $0 != ";" }) }
        return answer
    }

    /// Returns a page without the modules of the dashboard itself, which are the only scripts that it may have.
    static func withoutOwnModules(_ page: String) -> String {
        page.replacing(/<script type="module" src="\/dashboard\/assets\/[a-z]+-[0-9a-f]{16}\.js"><\/script>/, with: "")
    }

    /// Returns a text as a value of a form or a query.
    static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(Unicode.Scalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}

/// An app with a link, a click of it, and an install.
struct DashboardApp {
    let app: CreatedApp
    let link: Link
    /// The reference of the install's session.
    let session: String
    /// A user of the dashboard, for the pages about one.
    let user: DashboardUser.ID

    var path: String { "/dashboard/apps/\(app.app.id)" }
    var linkPath: String { "\(path)/links/\(link.id)" }

    /// - Parameter text: a text in every value that the dashboard shows.
    init(_ exchange: Exchange, _ name: String = "Orchard", text: String = "Cox", from address: String = "203.0.113.7") async throws
    {
        app = try await exchange.installation.createApp(name)
        let key = app.live.key.branchKey
        let path = try await exchange.createLink(
            key,
            [
                "channel": .string(text), "campaign": .string(text), "feature": .string(text), "stage": .string(text),
                "tags": [.string(text)],
                "data": ["$og_title": .string(text), "$og_description": .string(text), "variety": .string(text)],
            ])
        link = try await exchange.services.links.find("https://go.example.com" + path)
        _ = try await exchange.get(
            path + "?campaign=x", from: address, headers: [.referer: "https://example.com/" + text])
        user = try await exchange.services.dashboardUsers.create(name: "user-of-\(app.app.id)", role: .support, app: app.app.id)
            .user.id
        session = try exchange.reference(toSession: try await exchange.install(key, from: address).object["session_id"]?.string)
    }

    /// Returns the path of a route, with this app, its link and its session.
    func path(of route: DashboardRoute, setUp secret: String, _ objects: DashboardObjects) -> String {
        objects.path(of: path(of: route, setUp: secret))
    }

    private func path(of route: DashboardRoute, setUp secret: String) -> String {
        route.pattern.replacing("{app}", with: "\(app.app.id)").replacing("{link}", with: "\(link.id)")
            .replacing("{session}", with: session).replacing("{user}", with: "\(user)").replacing("{secret}", with: secret)
            .replacing("{file}", with: "none.css")
    }
}
