import Synchronization

/// A statement that writes to a table, as far as the audit log reads its text: `INSERT INTO t (columns) VALUES (values) …`,
/// `UPDATE t SET … WHERE condition` or `DELETE FROM t WHERE condition`. Texts of statements contain no input.
package struct WriteStatement: Sendable {
    package enum Rows: Sendable {
        /// The values of the new row by their columns, as written: `$3`, or an expression.
        case inserted([String: Substring])
        /// The condition of the rows; nil for all rows.
        case matching(Substring?)
        /// Those of a statement of another form, such as an `INSERT` of several rows.
        case unknown
    }

    package let table: String
    package let rows: Rows

    /// The statements that were read. The texts are constants of the code, but for the lengths of lists.
    private static let known = Mutex<[String: WriteStatement?]>([:])
    private static let mostKnown = 1000

    /// Returns the statement of a text, which is read once; nil for one that only reads.
    static func known(_ text: String) -> WriteStatement? {
        if let statement = known.withLock({ $0[text] }) { return statement }
        let statement = WriteStatement(text)
        known.withLock { if $0.count < mostKnown { $0[text] = statement } }
        return statement
    }

    /// Nil for a statement that only reads.
    package init?(_ text: String) {
        let words = text.split(maxSplits: 3, whereSeparator: \.isWhitespace)
        guard words.count > 2 else { return nil }
        switch words[0] {
        case "INSERT" where words[1] == "INTO":
            table = String(words[2].prefix { $0 != "(" })
            rows = Self.values(in: text[words[2].startIndex...]).map(Rows.inserted) ?? .unknown
        case "UPDATE":
            table = String(words[1])
            rows = .matching(Self.condition(in: text))
        case "DELETE" where words[1] == "FROM":
            table = String(words[2])
            rows = .matching(Self.condition(in: text))
        default: return nil
        }
    }

    /// Returns the values of a single row by their columns; nil for `INSERT … SELECT` and several rows.
    private static func values(in text: Substring) -> [String: Substring]? {
        guard let columns = list(in: text), let start = text[columns.end...].firstRange(of: "VALUES")?.upperBound,
            text[columns.end..<start].trimmed == "VALUES", let values = list(in: text[start...]),
            values.items.count == columns.items.count, text[values.end...].trimmed.first != ","
        else { return nil }
        return Dictionary(zip(columns.items.map(String.init), values.items)) { first, _ in first }
    }

    /// Returns the items of the first list in parentheses, and its end.
    private static func list(in text: Substring) -> (items: [Substring], end: String.Index)? {
        guard let open = text.firstIndex(of: "(") else { return nil }
        var (items, depth, start): ([Substring], Int, String.Index) = ([], 0, text.index(after: open))
        for index in text[open...].indices {
            switch text[index] {
            case "(": depth += 1
            case ")":
                depth -= 1
                guard depth == 0 else { continue }
                items.append(text[start..<index].trimmed)
                return (items, text.index(after: index))
            case "," where depth == 1:
                items.append(text[start..<index].trimmed)
                start = text.index(after: index)
            default: break
            }
        }
        return nil
    }

    /// Returns what is between the outermost `WHERE` and the end or `RETURNING`.
    private static func condition(in text: String) -> Substring? {
        var (depth, word, start): (Int, String.Index?, String.Index?) = (0, nil, nil)
        for index in text.indices {
            let character = text[index]
            if character.isLetter || character == "_" {
                if word == nil { word = index }
                continue
            }
            if let first = word, depth == 0 {
                if start == nil, text[first..<index] == "WHERE" { start = index }
                if let start, text[first..<index] == "RETURNING" { return text[start..<first].trimmed }
            }
            word = nil
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
        }
        return start.map { text[$0...].trimmed }
    }
}

extension SQL {
    /// Creates a statement around a part of another one, and renumbers its parameters.
    package init(_ prefix: String, _ part: Substring, of values: [SQLValue]) {
        var (text, used): (String, [SQLValue]) = (prefix, [])
        var rest = part
        while let mark = rest.firstIndex(of: "$") {
            let digits = rest[rest.index(after: mark)...].prefix { $0.isWholeNumber }
            guard let number = Int(digits), values.indices.contains(number - 1) else { break }
            used.append(values[number - 1])
            text += rest[..<mark] + "$\(used.count)"
            rest = rest[digits.endIndex...]
        }
        self.init(text: text + rest, values: used)
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = drop(while: \.isWhitespace)
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}
