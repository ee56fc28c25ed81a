import HTTPTypes
import LindenKernel
import LindenTesting
import Testing

extension Exchange {
    /// The revisions whose clients first call `initialize`, and the one whose requests stand alone.
    enum MCPGeneration: CaseIterable { case negotiated, selfContained }

    /// Sends a message of the Model Context Protocol.
    func message(_ json: JSON, token: String?, headers: HTTPFields = [:]) async throws -> Answer {
        try await manage(.post, "/mcp", token: token, json, headers: headers)
    }

    /// Sends a request as a client of either generation does.
    func request(
        _ method: String, _ params: JSONObject = [:], token: String?, as generation: MCPGeneration = .negotiated,
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        let body: JSONObject = ["jsonrpc": "2.0", "id": 1, "method": .string(method)]
        guard generation == .selfContained else {
            return try await message(.object(body.merging(["params": .object(params)])), token: token, headers: headers)
        }
        var all: HTTPFields = [.mcpRevision: "2026-07-28", .mcpCall: method]
        all[.mcpTool] = params["name"]?.string
        for field in headers { all[field.name] = field.value }
        let meta: JSON = [
            "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": [:],
        ]
        let envelope: JSONObject = ["_meta": meta]
        let members = body.merging(["params": .object(envelope.merging(params))])
        return try await message(.object(members), token: token, headers: all)
    }

    /// Calls a tool and returns its result.
    func tool(_ name: String, _ arguments: JSONObject = [:], token: String?) async throws -> ToolResult {
        let answer = try await request(
            "tools/call", ["name": .string(name), "arguments": .object(arguments)], token: token)
        try #require(answer.status == 200, "\(answer.body)")
        let result = try #require(answer.object["result"]?.object, "\(answer.body)")
        return ToolResult(
            isError: result["isError"] == true, text: result["content"]?.array?.first?.object?["text"]?.string ?? "",
            json: result["structuredContent"]?.object ?? [:])
    }
}

struct ToolResult {
    let isError: Bool
    let text: String
    let json: JSONObject
}

extension Exchange.Answer {
    var result: JSONObject { object["result"]?.object ?? [:] }
    var mcpError: JSONObject { object["error"]?.object ?? [:] }
    /// The names of the tools in a list of tools.
    var toolNames: [String] { (result["tools"]?.array ?? []).compactMap { $0.object?["name"]?.string } }
}

extension HTTPField.Name {
    static let mcpRevision = HTTPField.Name("MCP-Protocol-Version")!
    static let mcpCall = HTTPField.Name("Mcp-Method")!
    static let mcpTool = HTTPField.Name("Mcp-Name")!
}
