import HTTPTypes
import Hummingbird
import LindenKernel

/// A revision of the Model Context Protocol that a request uses.
///
/// Since 2026-07-28 each request stands alone and names its revision in its header and its body. Older clients first call `initialize`; they
/// get no session, because the server keeps nothing between requests.
enum MCPRevision {
    case selfContained
    case negotiated

    static let current = "2026-07-28"
    /// The revisions that `initialize` negotiates, oldest first.
    static let earlier = ["2025-03-26", "2025-06-18", "2025-11-25"]

    /// Throws ``JSONRPCError`` for an unknown revision, and if header and body differ.
    init(of request: Request, id: JSON, method: String, params: JSONObject) throws {
        let header = request.headers[.mcpProtocolVersion]
        let meta = params["_meta"]?.object
        let inBody = meta?[Self.versionMember]?.string
        guard header == Self.current || inBody != nil || method == "server/discover" else {
            if let header, !Self.earlier.contains(header) { throw Self.unsupported(header, id) }
            self = .negotiated
            return
        }
        guard let inBody, meta?[Self.capabilitiesMember]?.object != nil else {
            throw JSONRPCError(
                .invalidParams, "params._meta must have \(Self.versionMember) and \(Self.capabilitiesMember).", id: id)
        }
        guard header == inBody else { throw Self.mismatch("MCP-Protocol-Version", id) }
        guard request.headers[.mcpMethod] == method else { throw Self.mismatch("Mcp-Method", id) }
        if method == "tools/call", let name = params["name"]?.string, request.headers[.mcpName] != name {
            throw Self.mismatch("Mcp-Name", id)
        }
        guard inBody == Self.current else { throw Self.unsupported(inBody, id) }
        self = .selfContained
    }

    /// Returns a result with the members that the revision requires.
    ///
    /// - Parameter isCacheable: whether the result is the same until the server changes, for one token.
    func result(_ members: JSONObject, isCacheable: Bool = false) -> JSONObject {
        guard case .selfContained = self else { return members }
        let cache: JSONObject = isCacheable ? ["ttlMs": 60_000, "cacheScope": "private"] : [:]
        return members.merging(cache).merging([
            "resultType": "complete", "_meta": ["io.modelcontextprotocol/serverInfo": .object(MCPServerInfo.members)],
        ])
    }

    /// The HTTP status of an error. Clients of the earlier revisions read errors from successful responses only.
    func status(of error: JSONRPCError) -> HTTPResponse.Status {
        switch (self, error.code) {
        case (.negotiated, _): .ok
        case (.selfContained, .methodNotFound): .notFound
        case (.selfContained, _): .badRequest
        }
    }

    private static let versionMember = "io.modelcontextprotocol/protocolVersion"
    private static let capabilitiesMember = "io.modelcontextprotocol/clientCapabilities"

    private static func unsupported(_ version: String, _ id: JSON) -> JSONRPCError {
        let all = earlier + [current]
        return JSONRPCError(
            .unsupportedVersion, "The revision \(version) is not supported; these are: \(all.joined(separator: ", ")).", id: id,
            data: ["supported": JSON(all), "requested": .string(version)])
    }

    private static func mismatch(_ header: String, _ id: JSON) -> JSONRPCError {
        JSONRPCError(.headerMismatch, "The header \(header) must be the same as in the body.", id: id)
    }
}

/// What the server says about itself to clients of the Model Context Protocol.
enum MCPServerInfo {
    static let members: JSONObject = ["name": "linden", "title": "Linden", "version": .string(LindenVersion.current)]
    static let capabilities: JSON = ["tools": [:]]
    static let instructions: JSON = """
        Links, clicks, installs and analytics of mobile apps. Call list_apps first: the other tools name an app by its id (its live side) \
        or by its live or test key. Times are UTC. Only create_link changes anything.
        """
}

extension HTTPField.Name {
    static let mcpProtocolVersion = HTTPField.Name("MCP-Protocol-Version")!
    static let mcpMethod = HTTPField.Name("Mcp-Method")!
    static let mcpName = HTTPField.Name("Mcp-Name")!
}
