import BranchWire
import Connections
import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import LindenServices
import LinkRouting
import NIOCore
import Pages

extension Request {
    /// The requested host in lower case, without port; empty if it is longer than a host name can be.
    var host: String { URLParts.hostAndPort(head.authority ?? "").host }

    /// The path as it was sent, with percent-encoding.
    var rawPath: String { uri.path }

    var rawQuery: String? { uri.query }

    /// Returns the decoded value of a query parameter; nil if it is missing or empty.
    func queryValue(_ name: String) -> String? {
        guard let value = rawQuery.flatMap({ URLParts.firstValue(of: name, in: $0) }), !value.isEmpty else { return nil }
        return value
    }

    func header(_ name: HTTPField.Name) -> String? { headers.value(of: name) }

    /// Returns the value of a cookie; nil if there is none.
    func cookie(_ name: String) -> String? { BrowserCookie.value(of: name, in: headers[values: .cookie]) }

    /// Whether the request is a navigation, rather than a subresource such as an image, a frame or a script. Browsers since 2023 declare
    /// it; requests of others count as navigations.
    var isNavigation: Bool { headers[.secFetchDest].map(Self.isNavigation) ?? true }

    /// Whether a value of `Sec-Fetch-Dest` is that of a navigation.
    static func isNavigation(to destination: String) -> Bool { destination.utf8.elementsEqual("document".utf8) }

    /// Whether a page made the request, by a script or a form: browsers declare it. SDKs of apps, and servers, do not.
    var isFromPage: Bool {
        headers.contains(.origin) || headers.contains(.secFetchSite) || headers.contains(.secFetchDest)
    }

    /// The language of pages for this visitor.
    var pageLanguage: PageLanguage { .preferred(by: headers[.acceptLanguage].map(VisitHeaders.shortened)) }

    /// Whether the client prefers JSON to a page.
    var prefersJSON: Bool {
        guard let accept = headers[.accept] else { return false }
        return accept.hasBytes(of: "application/json") && !accept.hasBytes(of: "text/html")
    }

    /// Whether a page of another site sent the request. Browsers since 2023 declare it; older ones send the page's origin.
    var isFromAnotherSite: Bool {
        if let site = headers[.secFetchSite] { return site != "same-origin" && site != "none" }
        return pageHeader(.origin).map { $0 != "null" && URLParts($0).host != host } ?? false
    }

    /// The host of the page that sent the request, by `Origin` or `Referer`; nil if unknown. Scripts cannot set either header.
    var pageHost: String? {
        let page = pageHeader(.origin).flatMap { $0 == "null" ? nil : $0 } ?? referringPage
        return page.map { URLParts($0).host }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether the request comes from one of the app's own pages, by the browser's `Origin` or `Referer`. Other sites must not learn which
    /// apps their visitors have.
    func isFromPage(of app: AppContext, _ baseURL: BaseURL) -> Bool {
        guard let host = pageHost else { return false }
        return app.routing.ownHosts.contains(host) || host == (app.domain ?? baseURL.host)
    }

    /// The first 1,024 bytes of `Referer`, which contain its origin.
    var referringPage: String? { pageHeader(.referer) }

    /// Returns the first 1,024 bytes of a header that names the calling page.
    private func pageHeader(_ name: HTTPField.Name) -> String? { header(name).map { $0.prefix(bytes: 1024) } }

    /// Whether the request is a form of one of Linden's pages, which expects a page as its response.
    var wantsPage: Bool {
        headers[.contentType]?.hasPrefix("application/x-www-form-urlencoded") == true
            && headers[.accept]?.hasBytes(of: "text/html") == true
    }

    /// Returns the whole body, at most `limit` bytes. Fails like ``parsed(upTo:_:)``.
    func bytes(upTo limit: Int) async throws -> [UInt8] { try await parsed(upTo: limit) { $0 } }

    /// Returns what a function makes of the whole body, at most `limit` bytes. Fails with `tooLarge`, or with `invalid` if the client
    /// disconnects before its end.
    ///
    /// An operator's body is counted as stored data here, see ``Admission``. The turn of a large body ends, see ``ClientTurnsMiddleware``:
    /// what follows may wait for the database, or for other servers.
    func parsed<Value>(upTo limit: Int, _ parse: ([UInt8]) throws -> Value) async throws -> Value {
        defer { ClientTurnsMiddleware.turnOfLargeBody?.end() }
        let bytes = try await collected(upTo: limit)
        try Admission.current?.read(bodyOf: bytes.count)
        return try parse(bytes)
    }

    private func collected(upTo limit: Int) async throws -> [UInt8] {
        do {
            let buffer = try await body.collect(upTo: limit)
            return Array(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Failure(.tooLarge, "The body may have at most \(limit) bytes.")
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure.invalid("The body is incomplete.")
        }
    }

    /// Returns the body as a JSON object, with the secret of the header.
    func fields(upTo limit: Int) async throws -> RequestFields {
        try await parsed(upTo: limit) { try RequestFields(bytes: $0) }.withSecret(secretHeader)
    }

    /// The app's secret from the header `Branch-Secret`, accepted wherever a body or query may hold `branch_secret`.
    var secretHeader: String? { header(.branchSecret).flatMap { $0.isEmpty ? nil : $0 } }

    /// The secret of a call without a body.
    var branchSecret: String? { secretHeader ?? queryValue("branch_secret") }

    /// The access token of a call, from `Authorization: Bearer …` or Branch's `Access-Token`.
    var accessToken: String? {
        if let token = headers[.accessToken], !token.isEmpty { return token }
        let scheme = "bearer "
        guard let authorization = headers[.authorization], authorization.prefix(scheme.count).lowercased() == scheme else {
            return nil
        }
        return String(authorization.dropFirst(scheme.count))
    }
}

extension HTTPField.Name {
    static let accessToken = HTTPField.Name("Access-Token")!
    static let branchSecret = HTTPField.Name("Branch-Secret")!
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
    static let secFetchDest = HTTPField.Name("Sec-Fetch-Dest")!
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
}
