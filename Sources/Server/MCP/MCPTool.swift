import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LinkRouting

/// A tool of the MCP server: a call of the management API, with its arguments described for a language model.
struct MCPTool: Sendable {
    let name: String
    let title: String
    let description: String
    let method: HTTPRequest.Method
    /// The route's path, with a path argument in braces; perhaps with a query that each call has.
    let path: String
    let arguments: [Argument]
    let permission: Permission

    struct Argument: Sendable {
        enum Place { case path, query, body }

        let name: String
        let place: Place
        let isRequired: Bool
        /// Its JSON Schema.
        let schema: JSONObject
    }

    init(
        _ name: String, _ title: String, _ description: String, _ path: String, _ arguments: [Argument] = [],
        method: HTTPRequest.Method = .get, to permission: Permission = .readLinks
    ) {
        self.name = name
        self.title = title
        self.description = description
        self.method = method
        self.path = path
        self.arguments = arguments
        self.permission = permission
    }

    /// Whether the tool changes nothing.
    var isReadOnly: Bool { method == .get }

    /// The tool in a list of tools.
    var listing: JSON {
        let properties = JSONObject(arguments.map { (key: $0.name, value: JSON.object($0.schema)) })
        return [
            "name": .string(name), "title": .string(title), "description": .string(description),
            "inputSchema": [
                "type": "object", "properties": .object(properties),
                "required": JSON(arguments.filter(\.isRequired).map(\.name)), "additionalProperties": false,
            ],
            "annotations": [
                "title": .string(title), "readOnlyHint": .bool(isReadOnly), "destructiveHint": false,
                "idempotentHint": .bool(isReadOnly), "openWorldHint": false,
            ],
        ]
    }

    /// Returns the target and the body of the call for the given arguments. Fails with `invalid`, naming the arguments that there are.
    func call(_ values: JSONObject) throws -> (target: String, body: JSONObject?) {
        if let unknown = values.keys.first(where: { name in !arguments.contains { $0.name == name } }) {
            let known = arguments.isEmpty ? "It has none." : "Its arguments are \(arguments.map(\.name).joined(separator: ", "))."
            throw Failure.invalid("\(unknown) is not an argument of \(name). \(known)")
        }
        var (path, query, body): (String, [String], JSONObject) = (path, [], [:])
        for argument in arguments {
            guard let value = values[argument.name], !value.isNull else {
                guard !argument.isRequired else { throw Failure.invalid("\(argument.name) is missing.") }
                continue
            }
            switch argument.place {
            case .body: body[argument.name] = value
            case .path:
                let text = PercentCoding.encodeQueryValue(try argument.texts(value).first ?? "")
                guard !text.isEmpty else { throw Failure.invalid("\(argument.name) must not be empty.") }
                path = path.replacing("{\(argument.name)}", with: text)
            case .query: query += try argument.texts(value).map { "\(argument.name)=\(PercentCoding.encodeQueryValue($0))" }
            }
        }
        let separator = path.contains("?") ? "&" : "?"
        return (query.isEmpty ? path : path + separator + query.joined(separator: "&"), method == .get ? nil : body)
    }
}

extension MCPTool.Argument {
    /// Returns the texts of a value for a path or a query; several only where the schema is an array.
    fileprivate func texts(_ value: JSON) throws -> [String] {
        let values = schema["type"]?.string == "array" ? value.array ?? [value] : [value]
        return try values.map { value in
            guard let text = value.scalarText else {
                throw Failure.invalid("\(name) must be a \(schema["type"]?.string ?? "string"), not \(value.kind).")
            }
            return text
        }
    }
}
