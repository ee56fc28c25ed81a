import Linden
import LindenKernel
import LinkRouting

/// The fields of a request's body or query, parsed as leniently as Branch does.
package struct RequestFields: Sendable {
    package let members: JSONObject
    /// The length in bytes of the body or query that the fields were parsed from; 0 for fields from another source.
    package private(set) var byteCount = 0
    /// A secret from a header.
    private var headerSecret: String?

    package init(_ members: JSONObject) {
        self.members = members
    }

    /// Returns the fields with a secret from a header, if there is one. Fails with `invalid` if the fields contain a different secret.
    package func withSecret(_ secret: String?) throws(Failure) -> RequestFields {
        guard let secret else { return self }
        guard text("branch_secret").map({ $0 == secret }) ?? true else {
            throw Failure.invalid("branch_secret differs from the secret in the header Branch-Secret: send it once.")
        }
        var fields = self
        fields.headerSecret = secret
        return fields
    }

    /// Parses a body: a JSON object, or a form as the Web SDK sends it. The contents decide rather than the content type, which SDKs do not
    /// set reliably. Fails with `tooLarge` for more values than ``JSONLimits/untrusted``, and with `invalid` for anything else.
    package init(bytes: some Collection<UInt8>) throws {
        byteCount = bytes.count
        if let form = try Form(bytes) {
            members = form.members
            return
        }
        let value = try JSON.body(bytes)
        guard let object = value.object else { throw Failure.invalid("The body must be a JSON object, not \(value.kind).") }
        members = object
    }

    /// Parses a query. Fails with `tooLarge` for more than ``Form/maximumPairs`` pairs.
    package init(query: String) throws(Failure) {
        members = try Form(query: query).members
        byteCount = query.utf8.count
    }

    package subscript(key: String) -> JSON? { members[key] }

    /// Returns a field as text: a string, or a number or Boolean in its written form. Nil for a missing, null or empty field, for
    /// `bnc_no_value` (the Android SDK's "unset"), and for text with a NUL, which PostgreSQL cannot store.
    package func text(_ key: String) -> String? {
        guard let text = members[key]?.scalarText, !text.isEmpty, text != "bnc_no_value", !text.hasNUL else { return nil }
        return text
    }

    /// Returns the first of these fields that is present.
    package func text(_ key: String, _ others: String...) -> String? {
        text(key) ?? others.lazy.compactMap { text($0) }.first
    }

    /// Returns the first of these fields that is present and no longer than a URL may be: a URL, or an id sent in place of one.
    func address(_ keys: String...) -> String? {
        keys.lazy.compactMap { text($0) }.first { $0.utf8.count <= LinkSizeLimits.addressBytes }
    }

    /// Returns a text that describes a device: its first 64 scalars, without the non-printable ones. It is truncated on input because it is
    /// stored repeatedly, as part of the evidence of sessions.
    func shortText(_ key: String) -> String? {
        guard let text = text(key), !text.isEmpty else { return nil }
        // Most texts are kept as they are.
        if text.utf8.count <= Self.longestShortText, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
        let kept = text.unicodeScalars.prefix(Self.longestShortText).filter(\.isPrintable)
        // What is left out may have kept runs of combining marks apart.
        return kept.isEmpty ? nil : CombiningMarks.cut(String(String.UnicodeScalarView(kept)))
    }

    /// In Unicode scalars: a limit in characters would have to read any number of combining marks.
    private static let longestShortText = 64

    /// The maximum length in bytes of an id that the caller chooses. A longer one is ignored.
    static let longestID = 255

    /// Returns a number, or the number that a string holds.
    func number(_ key: String) -> Double? { text(key).flatMap(Double.init) }

    /// Returns a Boolean; nil if it is missing or null. Fails with `invalid` for anything else.
    package func strictFlag(_ name: String) throws -> Bool? {
        guard let value = members[name], !value.isNull else { return nil }
        guard case .bool(let flag) = value else { throw Failure.invalid("\(name) must be true or false, not \(value.kind).") }
        return flag
    }

    /// Returns a Boolean in any SDK's spelling: `true`, `1`, `"true"` and `"1"` are true, anything else is false.
    package func flag(_ key: String) -> Bool {
        guard let text = text(key) else { return false }
        return text == "true" || text == "1"
    }

    /// Whether the field has a valid Boolean value.
    func isFlag(_ key: String) -> Bool {
        ["true", "false", "1", "0"].contains(text(key))
    }

    package var branchKey: String? { text("branch_key") }
    package var branchSecret: String? { headerSecret ?? text("branch_secret") }
}

extension RequestFields {
    /// Returns an optional string field. Fails with `invalid` for a value of another type: for fields where that indicates a client error
    /// worth reporting.
    package func strictText(_ key: String) throws -> String? {
        guard let value = members[key], !value.isNull else { return nil }
        guard let text = value.string else { throw Failure.invalid("\(key) must be a string, not \(value.kind).") }
        return text.isEmpty || text == "bnc_no_value" ? nil : text
    }

    /// Returns a whole number, or the one that a string holds; nil if absent. Fails with `invalid` for anything else.
    package func integer(_ key: String) throws -> Int64? {
        guard let value = members[key], !value.isNull else { return nil }
        if case .integer(let number) = value { return number }
        switch value {
        case .string(""), .string("bnc_no_value"): return nil
        case .string(let text), .decimal(let text):
            if let number = Int64(text) { return number }
            if let number = Double(text), number.rounded() == number, abs(number) < 1e15 { return Int64(number) }
        default: break
        }
        throw Failure.invalid("\(key) must be a whole number.")
    }

    /// Returns a time in ISO 8601; an empty field is cleared. Fails with `invalid` for anything else.
    package func time(_ key: String) throws -> FieldUpdate<Timestamp> {
        guard members[key] != nil else { return .keep }
        guard let text = try strictText(key) else { return .clear }
        guard let time = Timestamp(iso8601: text) else {
            throw Failure.invalid("\(key) must be a time in ISO 8601 with its zone, such as 2027-01-31T18:00:00Z.")
        }
        return .set(time)
    }
}

extension String {
    /// Whether the text contains a NUL. Asking its view of bytes would take seven times as long, for each field of each call.
    fileprivate var hasNUL: Bool {
        var text = self
        return text.withUTF8 { $0.contains(0) }
    }
}

extension Unicode.Scalar {
    /// False for control characters and for characters that only affect how others are displayed.
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
