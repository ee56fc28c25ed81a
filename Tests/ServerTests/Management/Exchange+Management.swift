import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting

extension Exchange {
    /// A call of the management API.
    func manage(
        _ method: HTTPRequest.Method, _ target: String, token: String?, _ body: JSON? = nil, headers: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = headers
        if let token { headers[.authorization] = "Bearer " + token }
        return try await send(method, target, headers: headers, body: body?.bytes)
    }

    /// Creates an access token.
    func token(_ role: Role = .admin, for app: CreatedApp? = nil) async throws -> String {
        try await services.tokens.create(name: "test", role: role, app: app?.app.id).secret
    }

    /// The pages of a list, each as the values of one member of its entries.
    func pages(_ target: String, token: String, of list: String, _ member: String) async throws -> [[String]] {
        var (pages, cursor): ([[String]], String?) = ([], nil)
        repeat {
            let answer = try await manage(.get, target + (cursor.map { "&cursor=" + $0 } ?? ""), token: token)
            pages.append((answer.object[list]?.array ?? []).map { $0.object?[member]?.scalarText ?? "null" })
            cursor = answer.object["next_cursor"]?.string
        } while cursor != nil && pages.count < 9
        return pages
    }
}
