import LinkRouting

/// A form with a file, `multipart/form-data` (RFC 7578): the contents of its fields by their names.
struct MultipartForm {
    private var contents: [String: ArraySlice<UInt8>] = [:]

    private static let mostFields = 16
    /// RFC 2046, in bytes. The body is searched for the boundary byte by byte.
    private static let longestBoundary = 70
    /// Of the headers of one field, in bytes.
    private static let longestHead = 1024
    /// Of a field that is no file, in bytes.
    private static let longestText = 1024
    private static let lineEnd: [UInt8] = [0x0D, 0x0A]

    /// Nil for a body of another type, and for one that does not end.
    init?(_ body: [UInt8], contentType: String) {
        let prefix = "multipart/form-data"
        guard contentType.lowercased().hasPrefix(prefix), let boundary = Self.parameter("boundary", in: contentType),
            (1...Self.longestBoundary).contains(boundary.utf8.count)
        else { return nil }
        let delimiter = Array("--".utf8) + Array(boundary.utf8)
        guard let start = body.firstRange(of: delimiter) else { return nil }
        var rest = body[start.upperBound...]
        while !rest.starts(with: "--".utf8) {
            guard contents.count < Self.mostFields, rest.starts(with: Self.lineEnd),
                let headEnd = rest.prefix(Self.longestHead).firstRange(of: Self.lineEnd + Self.lineEnd),
                let end = rest[headEnd.upperBound...].firstRange(of: Self.lineEnd + delimiter)
            else { return nil }
            let head = String(decoding: rest[..<headEnd.lowerBound], as: UTF8.self)
            if let name = Self.parameter("name", in: head) { contents[name] = rest[headEnd.upperBound..<end.lowerBound] }
            rest = rest[end.upperBound...]
        }
    }

    /// Returns the content of a field; empty if it is missing.
    func bytes(_ name: String) -> [UInt8] { contents[name].map { Array($0) } ?? [] }

    /// Returns the content of a field that is no file, up to its limit.
    func text(_ name: String) -> String {
        CombiningMarks.cut(String(decoding: (contents[name] ?? []).prefix(Self.longestText), as: UTF8.self))
    }

    /// Returns the value of a parameter such as `name="file"`.
    private static func parameter(_ name: String, in head: String) -> String? {
        for part in head.split(whereSeparator: { $0 == ";" || $0.isNewline }) {
            let text = part.trimmed
            guard text.hasPrefix(name + "=") else { continue }
            let value = text.dropFirst(name.count + 1)
            return value.hasPrefix("\"") ? String(value.dropFirst().prefix { $0 != "\"" }) : String(value)
        }
        return nil
    }
}
