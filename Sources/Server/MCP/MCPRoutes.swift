import BranchWire
import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import LindenServices
import LinkRouting
import NIOCore

/// The server of the Model Context Protocol (https://modelcontextprotocol.io), over its streamable HTTP transport: language models call the
/// management API as tools.
///
/// It keeps nothing between requests: no sessions and no streams. The token of a request is checked first; each tool then passes the checks
/// and limits of its route.
struct MCPRoutes {
    let tokens: TokenService
    let baseURL: BaseURL
    let options: ServerOptions
    /// Responds to the calls of the management API.
    let management: @Sendable (Request, LindenContext) async throws -> Response

    /// Maximum bytes of a tool's result, for the memory of the server and of the model.
    private static let longestResult = 1 << 20

    func post(_ request: Request, _ context: LindenContext) async throws -> Response {
        guard isOwnOrigin(request) else { throw Failure(.forbidden, "Pages of other hosts must not call this server.") }
        let token: AccessToken
        do {
            token = try await tokens.authorize(request.accessToken, to: .readLinks)
            // The tool's call has an admission of its own.
            if let app = token.app { context.admission?.belongs(to: app) }
        } catch let failure as Failure where failure.code == .unauthorized {
            var answer = failure.answer
            answer.headers[.wwwAuthenticate] = "Bearer"
            return Response(answer)
        }
        do {
            let message = try await request.parsed(upTo: options.maximumBodyBytes) { try JSONRPCMessage($0) }
            guard case .request(let id, let method, let params) = message else {
                return Response(status: .accepted)
            }
            let revision = try MCPRevision(of: request, id: id, method: method, params: params)
            do {
                let result = try await result(of: method, params, id: id, revision, token, request, context)
                return .json(JSONRPCMessage.response(to: id, result))
            } catch let error as JSONRPCError {
                return .json(error.json, status: revision.status(of: error))
            }
        } catch let error as JSONRPCError {
            return .json(error.json, status: .badRequest)
        }
    }

    /// Streams and sessions, which other methods than POST are for, are not offered.
    func refuse(_ request: Request, _ context: LindenContext) async throws -> Response {
        let message = "Send messages by POST; there are no streams and no sessions."
        var answer = BufferedResponse.json(ErrorResponse(status: 405, message: message).json, status: .methodNotAllowed)
        answer.headers[.allow] = "POST"
        return Response(answer)
    }

    private func result(
        of method: String, _ params: JSONObject, id: JSON, _ revision: MCPRevision, _ token: AccessToken, _ request: Request,
        _ context: LindenContext
    ) async throws -> JSONObject {
        switch (method, revision) {
        case ("server/discover", .selfContained):
            return revision.result(
                [
                    "supportedVersions": JSON(MCPRevision.earlier + [MCPRevision.current]),
                    "capabilities": MCPServerInfo.capabilities,
                    "instructions": MCPServerInfo.instructions,
                ], isCacheable: true)
        case ("initialize", .negotiated):
            let wanted = params["protocolVersion"]?.string ?? ""
            return [
                "protocolVersion": .string(MCPRevision.earlier.first { $0 == wanted } ?? MCPRevision.earlier.last ?? ""),
                "capabilities": MCPServerInfo.capabilities, "serverInfo": .object(MCPServerInfo.members),
                "instructions": MCPServerInfo.instructions,
            ]
        case ("ping", .negotiated): return [:]
        case ("tools/list", _):
            return revision.result(
                ["tools": .array(MCPTool.all.filter { token.may($0.permission) }.map(\.listing))], isCacheable: true)
        case ("tools/call", _):
            guard let name = params["name"]?.string, let tool = MCPTool.all.first(where: { $0.name == name }) else {
                throw JSONRPCError(.invalidParams, "There is no tool \(params["name"]?.scalarText ?? "without a name").", id: id)
            }
            guard let values = (params["arguments"].flatMap { $0.isNull ? nil : $0 } ?? [:]).object else {
                throw JSONRPCError(.invalidParams, "arguments must be an object.", id: id)
            }
            return revision.result(try await answer(of: tool, values, token, request, context))
        default:
            throw JSONRPCError(.methodNotFound, "There is no method \(method).", id: id)
        }
    }

    /// Calls the route of a tool. Its error is the result, with `isError`.
    private func answer(
        of tool: MCPTool, _ values: JSONObject, _ token: AccessToken, _ request: Request, _ context: LindenContext
    ) async throws -> JSONObject {
        do {
            guard token.may(tool.permission) else { throw Failure.needs(tool.permission, for: tool.name, not: token.role) }
            let (target, body) = try tool.call(values)
            guard target.utf8.count <= FailureMiddleware.longestTarget else {
                let most = FailureMiddleware.longestTarget
                throw Failure(.tooLarge, "The arguments may have at most \(most) bytes as a URL's query.")
            }
            var headers: HTTPFields = [.accept: "application/json"]
            headers[.authorization] = request.headers[.authorization]
            headers[.accessToken] = request.headers[.accessToken]
            if body != nil { headers[.contentType] = "application/json" }
            let head = HTTPRequest(
                method: tool.method, scheme: nil, authority: request.head.authority, path: target, headerFields: headers)
            let bytes = body.map { JSON.object($0).bytes } ?? []
            var context = context
            // The request of the tool is the one that was counted on its arrival. Its client, whose limits apply, is in the context, too.
            context.isRequestCounted = true
            let response = try await management(
                Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: bytes))), context)
            let collector = BodyCollector(limit: Self.longestResult)
            do { try await response.body.write(collector) } catch let failure as Failure where failure.code == .tooLarge {
                throw Failure(.tooLarge, "\(failure.message) Ask for less: a smaller limit, a shorter time or more conditions.")
            }
            let text = collector.text
            let isError = response.status.code >= 400
            var members: JSONObject = ["content": [["type": "text", "text": .string(text)]], "isError": .bool(isError)]
            if !isError, let value = try? JSON.parse(text), value.object != nil { members["structuredContent"] = value }
            return members
        } catch let failure as Failure {
            return ["content": [["type": "text", "text": .string(failure.message)]], "isError": true]
        }
    }

    /// Whether a request is from no page, or from one of this server's own: a page of another site could otherwise reach a server that only
    /// listens on its visitor's machine (DNS rebinding).
    private func isOwnOrigin(_ request: Request) -> Bool {
        guard let origin = request.headers[.origin] else { return true }
        return URLParts(origin).host == baseURL.host
    }
}
