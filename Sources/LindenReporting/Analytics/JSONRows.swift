import LindenKernel

/// Rows that are written as JSON objects, one after another.
package struct JSONRows {
    /// What is written around the rows.
    package enum Form: Sendable {
        /// `[{…},{…}]`.
        case array
        /// An object on each line.
        case lines
        /// `{"results":[{…},{…}],…}`.
        case results
    }

    package private(set) var bytes: [UInt8]
    private let form: Form
    private let mostBytes: Int
    private var isEmpty = true

    package init(_ form: Form, upTo mostBytes: Int) {
        self.form = form
        self.mostBytes = mostBytes
        switch form {
        case .array: bytes = Array("[".utf8)
        case .lines: bytes = []
        case .results: bytes = Array(#"{"results":["#.utf8)
        }
    }

    /// Adds a row. Fails with `invalid` if the rows are longer than allowed.
    package mutating func add(_ row: JSONObject) throws(Failure) {
        if !isEmpty, form != .lines { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
        JSON.object(row).write(to: &bytes)
        if form == .lines { bytes.append(UInt8(ascii: "\n")) }
        try bytes.checkAnswerLength(upTo: mostBytes)
    }

    /// Completes ``bytes``.
    ///
    /// - Parameter members: those of the object with the results, after them.
    package mutating func end(with members: JSONObject = [:]) {
        if form != .lines { bytes.append(UInt8(ascii: "]")) }
        guard form == .results else { return }
        for member in members {
            bytes.append(UInt8(ascii: ","))
            JSON.string(member.key).write(to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            member.value.write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }
}
