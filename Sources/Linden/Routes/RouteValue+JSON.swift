import LindenKernel
import RoutePatterns

extension RouteValue {
    fileprivate init?(_ json: JSON) {
        switch json {
        case .string(let text): self = .text(text)
        case .integer(let number): self = .integer(number)
        case .decimal(let text):
            guard let number = Double(text) else { return nil }
            self = .decimal(number)
        case .null, .bool, .array, .object: return nil
        }
    }

    fileprivate var json: JSON {
        switch self {
        case .text(let text): .string(text)
        case .integer(let number): .integer(number)
        case .decimal(let number): .decimal(String(number))
        }
    }
}

extension JSONObject {
    /// Creates an object from the parameters of a route, sorted by name.
    package init(_ values: [String: RouteValue]) {
        self.init(values.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value.json) })
    }

    package init(_ values: [String: String]) {
        self.init(values.sorted { $0.key < $1.key }.map { (key: $0.key, value: .string($0.value)) })
    }

    package var routeValues: [String: RouteValue] {
        Dictionary(compactMap { key, value in RouteValue(value).map { (key, $0) } }, uniquingKeysWith: { $1 })
    }
}
