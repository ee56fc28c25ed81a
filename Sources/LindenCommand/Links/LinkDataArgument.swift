import ArgumentParser
import Foundation
import LindenKernel

/// The values of `--data`: a JSON object, `@file` with one, or `key=value`.
enum LinkDataArgument {
    /// Merges all values into one object; of a repeated key, the last value counts. Fails with a usage error that names the value.
    static func merge(_ texts: [String]) throws -> JSONObject {
        try texts.reduce(into: JSONObject()) { $0.merge(try object($1)) }
    }

    private static func object(_ text: String) throws -> JSONObject {
        if text.hasPrefix("@") { return try parse(contents(of: String(text.dropFirst())), described: text) }
        if text.drop(while: \.isWhitespace).hasPrefix("{") { return try parse(Array(text.utf8), described: text) }
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw ValidationError("--data must be a JSON object, @file or key=value, not \"\(text)\".")
        }
        return [String(text[..<equals]): .string(String(text[text.index(after: equals)...]))]
    }

    private static func parse(_ bytes: [UInt8], described text: String) throws -> JSONObject {
        do {
            if let object = try JSON.parse(bytes, within: .untrusted).object { return object }
            throw ValidationError("--data \(text) is JSON but not an object.")
        } catch let error as JSONError {
            throw ValidationError("--data \(text) is not JSON: \(error).")
        }
    }

    private static func contents(of path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ValidationError("--data: the file \(path) cannot be read.")
        }
        return Array(data)
    }
}
