import LindenKernel
import LinkRouting

/// The query parameters of one of Linden's own calls.
package struct QueryParameters {
    package let items: [QueryItem]

    package init(_ query: String?) {
        items = URLParts.queryItems(query ?? "")
    }

    /// Fails with `invalid` for an unknown parameter, and for one that is repeated without being repeatable.
    ///
    /// - Parameters:
    ///   - repeatable: the parameters that may be given more than once.
    ///   - call: the call's name, for messages.
    package func check(_ known: [String], repeatable: Set<String> = [], of call: String) throws {
        if let unknown = items.first(where: { $0.name.ifASCII.map(known.contains) != true }) {
            let allowed = known.isEmpty ? "It has none." : "The parameters are \(known.joined(separator: ", "))."
            throw Failure.invalid("\(unknown.name) is not a parameter of \(call). \(allowed)")
        }
        var names: Set<String> = []
        if let repeated = items.first(where: { !names.insert($0.name).inserted && !repeatable.contains($0.name) }) {
            throw Failure.invalid("\(repeated.name) may be given once.")
        }
    }

    /// Returns the non-empty values of a parameter.
    package func values(_ name: String) -> [String] {
        items.filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
    }

    package func value(_ name: String) -> String? { values(name).first }

    package func bool(_ name: String) throws -> Bool {
        switch value(name) {
        case "true", "1": true
        case nil, "false", "0": false
        default: throw Failure.invalid("\(name) must be true or false.")
        }
    }

    /// Returns the row at which a page of a list begins; nil for the first page. Fails with `invalid` for any other text.
    package func cursor() throws -> Int64? {
        try value("cursor").map { text in
            guard let row = Int64(text) else { throw Failure.invalid("cursor must be the next_cursor of the page before.") }
            return row
        }
    }

    /// Returns the case of an enumeration that a parameter names; nil if it is missing. Fails with `invalid` and the allowed names.
    package func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String) throws -> Choice? {
        try value(name).map { try Self.choice(name, $0) }
    }

    package static func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String, _ text: String) throws -> Choice {
        guard let choice = Choice(rawValue: text) else {
            let allowed = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure.invalid("\(name) must be one of \(allowed), not \"\(text)\".")
        }
        return choice
    }

    /// Returns a number; nil if it is missing. Fails with `invalid` if it is not in the range.
    package func number(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let number = try number(name) else { return nil }
        guard range.contains(number) else {
            throw Failure.invalid("\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    package func number(_ name: String) throws -> Int? {
        try value(name).map { text in
            guard let number = Int(text) else { throw Failure.invalid("\(name) must be a whole number.") }
            return number
        }
    }
}
