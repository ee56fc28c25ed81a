import BranchWire
import HTTPTypes
import Hummingbird
import Linden
import NIOCore
import Pages

/// An answer that is known whole before it is sent, by the router or ahead of it.
struct Answer: Sendable {
    var status: HTTPResponse.Status
    var headers: HTTPFields
    var body = ByteBuffer()

    /// JSON for API clients.
    static func json(_ json: JSON, status: HTTPResponse.Status = .ok) -> Answer {
        Answer(
            status: status,
            headers: [
                .contentType: "application/json; charset=utf-8",
                .xContentTypeOptions: "nosniff",
                .cacheControl: "no-store",
            ],
            body: ByteBuffer(bytes: json.bytes))
    }

    /// A page, which is in the language of the request.
    static func html(_ page: Page, status: HTTPResponse.Status = .ok) -> Answer {
        Answer(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8",
                .cacheControl: "no-store",
                .contentSecurityPolicy: page.contentSecurityPolicy,
                .xContentTypeOptions: "nosniff",
                .referrerPolicy: "no-referrer",
                .vary: "Accept-Language",
            ],
            body: ByteBuffer(string: page.html))
    }

    /// Names headers of the request that the answer depends on. No cache is to keep such answers at all, and one that is set to keep them
    /// all the same does not give them to other visitors.
    mutating func vary(by names: String...) {
        headers[.vary] = ([headers[.vary]].compactMap { $0 } + names).joined(separator: ", ")
    }

    /// 302: every click decides anew, so nobody may keep the answer.
    static func found(_ location: String) -> Answer {
        Answer(status: .found, headers: [.location: location, .cacheControl: "no-store"])
    }
}

extension Response {
    init(_ answer: Answer) {
        self.init(
            status: answer.status, headers: answer.headers,
            body: answer.body.readableBytes == 0 ? .init() : .init(byteBuffer: answer.body))
    }

    static func json(_ json: JSON, status: HTTPResponse.Status = .ok) -> Response { Response(.json(json, status: status)) }

    static func html(_ page: Page, status: HTTPResponse.Status = .ok) -> Response { Response(.html(page, status: status)) }
}

extension HTTPField.Name {
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
}
