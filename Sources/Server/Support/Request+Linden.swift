import BranchWire
import HTTPTypes
import Hummingbird
import Linden
import LinkRouting
import NIOCore
import Pages

extension Request {
    /// The requested host, lower case and without port.
    /// Empty for what is longer than any host name.
    var host: String {
        let host = URLParts.hostAndPort(head.authority ?? "").host
        return host.utf8.count <= 253 ? host : ""
    }

    /// The path as it was sent, percent escapes and all.
    var rawPath: String { uri.path }

    var rawQuery: String? { uri.query }

    /// The decoded value of a query parameter; nil if it is missing or empty.
    func queryValue(_ name: String) -> String? {
        guard let value = URLParts.queryItems(uri.query ?? "").first(where: { $0.name == name })?.value else { return nil }
        return value.isEmpty ? nil : value
    }

    func header(_ name: HTTPField.Name) -> String? { headers[name] }

    /// The value of a cookie; nil if there is none. Reads the bytes of the header once, however many cookies it has.
    func cookie(_ name: String) -> String? {
        for header in headers[values: .cookie] {
            for pair in header.utf8.split(separator: UInt8(ascii: ";")) {
                let pair = pair.drop { $0 == UInt8(ascii: " ") }
                guard pair.starts(with: name.utf8) else { continue }
                let rest = pair.dropFirst(name.utf8.count)
                if rest.first == UInt8(ascii: "=") { return String(Substring(rest.dropFirst())) }
            }
        }
        return nil
    }

    /// Whether somebody goes to this address, rather than having it loaded into a page as an image, a frame or a script. Browsers since
    /// 2023 say which; others are believed.
    var isNavigation: Bool { headers[.secFetchDest].map(Self.isNavigation) ?? true }

    /// Whether `Sec-Fetch-Dest` says so.
    static func isNavigation(to destination: String) -> Bool { destination == "document" }

    /// The language of pages for this visitor.
    var pageLanguage: PageLanguage { .preferred(by: headers[.acceptLanguage]) }

    /// Whether the client would rather read JSON than a page.
    var prefersJSON: Bool {
        guard let accept = headers[.accept] else { return false }
        return accept.contains("application/json") && !accept.contains("text/html")
    }

    /// Whether a page of another site sent this. Browsers since 2023 say so, and older ones name the page's origin.
    var isFromAnotherSite: Bool {
        if let site = headers[.secFetchSite] { return site != "same-origin" && site != "none" }
        return headers[.origin].map { $0 != "null" && URLParts($0).host != host } ?? false
    }

    /// The host of the page that sent this, as its browser names it; nil where it names none. Scripts cannot choose either header.
    var pageHost: String? {
        let page = headers[.origin].flatMap { $0 == "null" ? nil : $0 } ?? headers[.referer]
        return page.map { URLParts($0).host }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether a form was sent by a page of ours, whose visitor wants to read an answer.
    var wantsPage: Bool {
        headers[.contentType]?.hasPrefix("application/x-www-form-urlencoded") == true
            && headers[.accept]?.contains("text/html") == true
    }

    /// The whole body, at most `limit` bytes. Fails with `tooLarge`, or with `invalid` if the client left before its end.
    func bytes(upTo limit: Int) async throws -> [UInt8] {
        do {
            let buffer = try await body.collect(upTo: limit)
            return Array(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Failure(.tooLarge, "The body may have at most \(limit) bytes.")
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure.invalid("The body was not sent whole.")
        }
    }

    /// The body as a JSON object.
    func fields(upTo limit: Int) async throws -> RequestFields {
        try RequestFields(bytes: try await bytes(upTo: limit)).withSecret(secretHeader)
    }

    /// An app's secret from the header `Branch-Secret`, which goes wherever a body or query may hold `branch_secret`.
    var secretHeader: String? { headers[.branchSecret].flatMap { $0.isEmpty ? nil : $0 } }

    /// The secret of a call without a body.
    var branchSecret: String? { secretHeader ?? queryValue("branch_secret") }

    /// The access token of a call, from `Authorization: Bearer …` or Branch's `Access-Token`.
    var accessToken: String? {
        if let token = headers[.accessToken], !token.isEmpty { return token }
        guard let authorization = headers[.authorization], authorization.lowercased().hasPrefix("bearer ") else { return nil }
        return String(authorization.dropFirst("bearer ".count))
    }
}

extension HTTPField.Name {
    static let accessToken = HTTPField.Name("Access-Token")!
    static let branchSecret = HTTPField.Name("Branch-Secret")!
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
    static let secFetchDest = HTTPField.Name("Sec-Fetch-Dest")!
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
}
