import LindenKernel
import RoutePatterns

extension RouteValue {
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
}
