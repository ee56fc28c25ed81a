import Foundation
import LindenKernel

/// The output of a command: tables as text, or JSON.
struct Output {
    let format: OutputFormat

    /// Prints one object: a line per member, or JSON.
    func show(_ object: JSONObject) {
        switch format {
        case .json: print(Self.printable(JSON.object(object)))
        case .table:
            // Some names are a customer's, such as those of buckets.
            let names = object.keys.map { Self.printable($0) }
            let width = names.map(\.count).max() ?? 0
            for (name, member) in zip(names, object) {
                print(name.padded(to: width) + "  " + Self.cell(member.value))
            }
        }
    }

    /// Prints a created or changed object with warnings: in its member `warnings` as JSON, on standard error as text.
    func show(_ object: JSONObject, warnings: [String]) {
        switch format {
        case .json:
            let all = (object["warnings"]?.array ?? []) + warnings.map(JSON.string)
            show(all.isEmpty ? object : object.merging(["warnings": .array(all)]))
        case .table:
            show(object)
            for warning in warnings { Self.say("Warning: " + warning) }
        }
    }

    /// Prints objects of one kind: a table with the members as columns, or a JSON array.
    func list(_ objects: [JSONObject], empty: String) {
        switch format {
        case .json: print(Self.printable(JSON.array(objects.map(JSON.object))))
        case .table:
            guard let columns = objects.first?.keys else { return Self.say(empty) }
            let rows = [columns.map { $0.uppercased() }] + objects.map { object in columns.map { Self.cell(object[$0] ?? .null) } }
            let widths = columns.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
            for row in rows {
                let cells = zip(row, widths).map { $0.padded(to: $1) }
                print(cells.joined(separator: "  ").trimmingSuffix { $0 == " " })
            }
        }
    }

    /// Prints a message to standard error, so that standard output holds only the command's results. In systemd's journal, an error has the
    /// priority of one.
    static func say(_ message: String, asError isError: Bool = false) {
        var stderr = StandardError()
        let text =
            message.split(separator: "\n", omittingEmptySubsequences: false).map { printable(String($0)) }.joined(separator: "\n")
            + "\n"
        stderr.write(isError && Journal.receives(STDERR_FILENO) ? Journal.text(text, priority: 3) : text)
    }

    private static func cell(_ value: JSON) -> String {
        switch value {
        case .null: "-"
        case .array(let elements): elements.isEmpty ? "-" : elements.map(cell).joined(separator: " ")
        case .object: printable(value)
        default: printable(value.scalarText ?? "")
        }
    }

    /// Escapes control characters and bidirectional overrides: labels come from any client that can create links, and a terminal must not
    /// interpret them.
    static func printable(_ text: String) -> String {
        escaped(text) { "\\u{" + String($0.value, radix: 16) + "}" }
    }

    /// JSON without control characters and bidirectional overrides. JSON itself escapes only the ASCII controls below U+0020.
    static func printable(_ json: JSON) -> String {
        escaped(json.text) { scalar in
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    /// Escapes characters that move a terminal's cursor or change the direction of text.
    private static func escaped(_ text: String, _ escape: (Unicode.Scalar) -> String) -> String {
        guard text.unicodeScalars.contains(where: isObeyed) else { return text }
        return text.unicodeScalars.map { isObeyed($0) ? escape($0) : String($0) }.joined()
    }

    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || (0x202A...0x202E).contains(scalar.value)
            || (0x2066...0x2069).contains(scalar.value)
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> String {
        var text = self
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return text
    }
}
