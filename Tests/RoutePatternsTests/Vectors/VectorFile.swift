import Foundation
import RouteVectors

/// The routing vectors beside this file.
enum VectorFile {
    static let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "routing.json").path()

    static func cases(of family: VectorCase.Family) -> [VectorCase] {
        (root[family.rawValue]?.array ?? []).map { VectorCase(family: family, fields: $0) }
    }

    private static let root: VectorValue = {
        guard let data = FileManager.default.contents(atPath: path), let json = try? JSONSerialization.jsonObject(with: data)
        else { preconditionFailure("no vectors at \(path)") }
        return VectorValue(json: json)
    }()
}

extension VectorValue {
    /// What `JSONSerialization` reads; it has one class for numbers and booleans.
    init(json: Any) {
        switch json {
        case let text as String: self = .string(text)
        case let values as [Any]: self = .array(values.map(VectorValue.init(json:)))
        case let fields as [String: Any]: self = .object(fields.mapValues(VectorValue.init(json:)))
        case let number as NSNumber where String(cString: number.objCType) == "c": self = .bool(number.boolValue)
        case let number as NSNumber where number.doubleValue == Double(number.int64Value): self = .integer(number.int64Value)
        case let number as NSNumber: self = .decimal(number.doubleValue)
        default: self = .null
        }
    }
}
