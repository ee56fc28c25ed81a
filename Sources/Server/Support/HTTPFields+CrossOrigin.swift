import HTTPTypes
import Hummingbird

extension HTTPFields {
    /// Lets the calling page read the response; with credentials only for ``Routes/allowsCredentials(path:)``. Nothing here is secret from a
    /// page that could request it through its own server: a branch key is public, and no cookie grants access.
    mutating func allowOrigin(of request: Request) {
        if let vary = value(of: .vary) { self[.vary] = vary + ", Origin" } else { append(HTTPField(name: .vary, value: "Origin")) }
        guard let origin = request.header(.origin), origin.utf8.count <= Self.longestOrigin, origin != "null" else {
            return append(HTTPField(name: .accessControlAllowOrigin, value: "*"))
        }
        append(HTTPField(name: .accessControlAllowOrigin, value: origin))
        if Routes.allowsCredentials(path: request.rawPath) { self[.accessControlAllowCredentials] = "true" }
    }

    /// Returns the headers of a response to a CORS preflight. All requested headers are allowed, since tools that monitor a page add their
    /// own to its calls. A request list that is longer than any page needs gets the headers that calls use.
    static func preflight(for request: Request) -> HTTPFields {
        let wanted = request.headers[.accessControlRequestHeaders].flatMap { $0.utf8.count <= longestWanted ? $0 : nil }
        return [
            .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE",
            .accessControlAllowHeaders: wanted ?? "Content-Type, Authorization, Access-Token, Branch-Secret, Idempotency-Key",
            .accessControlMaxAge: "86400",
        ]
    }

    /// Maximum bytes of an origin that a response repeats.
    private static let longestOrigin = 512

    /// Maximum bytes of the requested header list.
    private static let longestWanted = 512
}
