import LindenKernel

/// A message of JSON-RPC 2.0, as the Model Context Protocol uses it: one per request, no batches.
enum JSONRPCMessage {
    case request(id: JSON, method: String, params: JSONObject)
    /// A notification, or a response to a request that the server never sent: nothing to answer.
    case unanswered

    /// Throws ``JSONRPCError``.
    init(_ bytes: [UInt8]) throws {
        let json: JSON
        do { json = try JSON.parse(bytes, within: .untrusted) } catch {
            throw JSONRPCError(.parseError, "The body is not valid JSON: \(error).")
        }
        guard let members = json.object else {
            throw JSONRPCError(.invalidRequest, "The body must be one JSON-RPC message, an object. Batches are not supported.")
        }
        guard members["jsonrpc"]?.string == "2.0" else { throw JSONRPCError(.invalidRequest, "jsonrpc must be \"2.0\".") }
        guard let method = members["method"] else {
            guard members["result"] != nil || members["error"] != nil else {
                throw JSONRPCError(.invalidRequest, "method is missing.")
            }
            self = .unanswered
            return
        }
        guard let name = method.string else { throw JSONRPCError(.invalidRequest, "method must be a string.") }
        guard let id = members["id"] else {
            self = .unanswered
            return
        }
        guard id.string != nil || id.int64 != nil else {
            throw JSONRPCError(.invalidRequest, "id must be a string or a whole number.")
        }
        guard let params = (members["params"] ?? [:]).object else {
            throw JSONRPCError(.invalidParams, "params must be an object.", id: id)
        }
        self = .request(id: id, method: name, params: params)
    }

    /// Returns the response to a request.
    static func response(to id: JSON, _ result: JSONObject) -> JSON {
        ["jsonrpc": "2.0", "id": id, "result": .object(result)]
    }
}

/// An error of the protocol. Wrong arguments of a tool are a result instead, so that a language model can correct them.
struct JSONRPCError: Error {
    /// The codes of JSON-RPC 2.0, and those of the Model Context Protocol.
    enum Code: Int64 {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParams = -32602
        case headerMismatch = -32020
        case unsupportedVersion = -32022
    }

    let code: Code
    let message: String
    var id: JSON = .null
    var data: JSON?

    init(_ code: Code, _ message: String, id: JSON = .null, data: JSON? = nil) {
        self.code = code
        self.message = message
        self.id = id
        self.data = data
    }

    var json: JSON {
        var error: JSONObject = ["code": .integer(code.rawValue), "message": .string(message)]
        if let data { error["data"] = data }
        return ["jsonrpc": "2.0", "id": id, "error": .object(error)]
    }
}
