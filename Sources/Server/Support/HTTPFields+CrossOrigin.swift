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

    /// What a browser wants to know before it sends a call that a plain form could not. Any header is allowed, since tools that watch a page
    /// add their own to its calls; who asks for more than a page would is answered with those that calls have.
    static func preflight(for request: Request) -> HTTPFields {
        let wanted = request.headers[.accessControlRequestHeaders].flatMap { $0.utf8.count <= longestWanted ? $0 : nil }
        return [
            .accessControlAllowMethods: "GET, HEAD, POST, PUT, DELETE",
            .accessControlAllowHeaders: wanted ?? "Content-Type, Authorization, Access-Token, Branch-Secret, Idempotency-Key",
            .accessControlMaxAge: "86400",
        ]
    }

    /// In bytes.
    private static let longestWanted = 512
}
