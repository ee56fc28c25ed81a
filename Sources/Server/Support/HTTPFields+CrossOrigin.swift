import HTTPTypes
import Hummingbird

extension HTTPFields {
    /// Lets the page that asked read the answer, with its cookies if it sent them. Nothing here is secret to a page that could not
    /// ask for it from its own server: a branch key is public, and no cookie gives access to anything.
    mutating func allowOrigin(of request: Request) {
        self[.vary] = [self[.vary], "Origin"].compactMap { $0 }.joined(separator: ", ")
        guard let origin = request.headers[.origin], origin != "null", origin.utf8.count <= 512 else {
            self[.accessControlAllowOrigin] = "*"
            return
        }
        self[.accessControlAllowOrigin] = origin
        self[.accessControlAllowCredentials] = "true"
    }

    /// What a browser wants to know before it sends a call that a plain form could not.
    static func preflight(for request: Request) -> HTTPFields {
        var fields: HTTPFields = [
            .accessControlAllowMethods: "GET, HEAD, POST, PUT, DELETE",
            .accessControlAllowHeaders: request.headers[.accessControlRequestHeaders] ?? "Content-Type",
            .accessControlMaxAge: "86400",
        ]
        fields.allowOrigin(of: request)
        return fields
    }
}
