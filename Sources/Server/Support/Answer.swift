import BranchWire
import HTTPTypes
import Hummingbird
import LindenKernel
import NIOCore
import Pages

/// A response that is complete before it is sent, by the router or ahead of it.
struct BufferedResponse: Sendable {
    var status: HTTPResponse.Status
    var headers: HTTPFields
    var body = ByteBuffer()

    /// A JSON response for API clients.
    static func json(_ json: JSON, status: HTTPResponse.Status = .ok) -> BufferedResponse {
        BufferedResponse(status: status, headers: jsonHeaders, body: ByteBuffer(bytes: json.bytes))
    }

    /// Made once, because the name and value of each header are checked.
    private static let jsonHeaders: HTTPFields = [
        .contentType: "application/json; charset=utf-8",
        .xContentTypeOptions: "nosniff",
        .cacheControl: "no-store",
    ]

    /// A page, in the language of the request.
    static func html(_ page: Page, status: HTTPResponse.Status = .ok) -> BufferedResponse {
        BufferedResponse(
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

    /// Adds request headers that the response depends on. The response must not be cached at all; a cache that is set to store it
    /// nevertheless then does not serve it to other visitors.
    mutating func vary(by names: String...) {
        headers[.vary] = ([headers[.vary]].compactMap { $0 } + names).joined(separator: ", ")
    }

    /// A redirect with status 302. Not cacheable, since every click is routed on its own.
    static func found(_ location: String) -> BufferedResponse {
        BufferedResponse(status: .found, headers: [.location: location, .cacheControl: "no-store"])
    }
}

extension Response {
    init(_ answer: BufferedResponse) {
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
