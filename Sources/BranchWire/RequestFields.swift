import Linden

/// The fields in the body of a call, read as leniently as Branch reads them.
package struct RequestFields: Sendable {
    package let members: JSONObject
    /// The length of the body or query that they were read from; 0 for fields that were made otherwise.
    package private(set) var byteCount = 0
    /// A secret that came beside the fields, in a header.
    private var headerSecret: String?

    package init(_ members: JSONObject) {
        self.members = members
    }

    /// The same fields with a secret from a header, if there is one. Fails with `invalid` where they hold another.
    package func withSecret(_ secret: String?) throws(Failure) -> RequestFields {
        guard let secret else { return self }
        guard text("branch_secret").map({ $0 == secret }) ?? true else {
            throw Failure.invalid("branch_secret differs from the secret in the header Branch-Secret: send it once.")
        }
        var fields = self
        fields.headerSecret = secret
        return fields
    }

    /// Reads a body: a JSON object, or a form as the Web SDK sends it. The body decides, not the content type, which SDKs set at
    /// will. Fails with `invalid` for anything else.
    package init(bytes: some Collection<UInt8>) throws {
        byteCount = bytes.count
        if let form = try Form(bytes) {
            members = form.members
            return
        }
        do {
            let value = try JSON.parse(bytes)
            guard let object = value.object else { throw Failure.invalid("The body must be a JSON object, not \(value.kind).") }
            members = object
        } catch let error as JSONError {
            throw Failure.invalid("The body is not JSON: \(error).")
        }
    }

    /// The fields of a call that has them in its query. Fails with `tooLarge` for more than a thousand.
    package init(query: String) throws(Failure) {
        members = try Form(query: query).members
        byteCount = query.utf8.count
    }

    package subscript(key: String) -> JSON? { members[key] }

    /// A text. Missing, null, empty and `bnc_no_value` (the Android SDK's "unset") are the same; so are a number and its text. A text
    /// with a NUL is none: PostgreSQL could not keep it.
    package func text(_ key: String) -> String? {
        guard let text = members[key]?.scalarText, !text.isEmpty, text != "bnc_no_value", !text.utf8.contains(0) else { return nil }
        return text
    }

    /// The first of them that is there.
    package func text(_ key: String, _ others: String...) -> String? {
        text(key) ?? others.lazy.compactMap { text($0) }.first
    }

    /// The first of them that is there and no longer than a URL may be: a URL, or what stands for one.
    func address(_ keys: String...) -> String? {
        keys.lazy.compactMap { text($0) }.first { $0.utf8.count <= LinkSizeLimits.addressBytes }
    }

    /// A text that describes a device: its first 64 characters, without those that cannot be printed. It is stored many times over, as part
    /// of the evidence of sessions, so it is cut before anything else is done with it.
    func shortText(_ key: String) -> String? {
        guard let text = text(key) else { return nil }
        let kept = text.unicodeScalars.prefix(Self.longestShortText).filter(\.isPrintable)
        return kept.isEmpty ? nil : String(String.UnicodeScalarView(kept))
    }

    /// In Unicode scalars: cutting by whole characters would have to read combining marks without end.
    private static let longestShortText = 64

    /// In bytes, of an id that the caller chooses. A longer one is ignored.
    static let longestID = 255

    /// A number, or its text.
    func number(_ key: String) -> Double? { text(key).flatMap(Double.init) }

    /// A switch as any SDK writes it: `true`, `1`, `"true"`, `"1"`.
    package func flag(_ key: String) -> Bool {
        guard let text = text(key) else { return false }
        return text == "true" || text == "1"
    }

    /// Whether a field is a switch that was set to on or off.
    func isFlag(_ key: String) -> Bool {
        ["true", "false", "1", "0"].contains(text(key))
    }

    package var branchKey: String? { text("branch_key") }
    package var branchSecret: String? { headerSecret ?? text("branch_secret") }
}

extension RequestFields {
    /// A text that must be one if it is there: for fields whose wrong type is a mistake worth telling.
    func strictText(_ key: String) throws -> String? {
        guard let value = members[key], !value.isNull else { return nil }
        guard let text = value.string else { throw Failure.invalid("\(key) must be a string, not \(value.kind).") }
        return text.isEmpty || text == "bnc_no_value" ? nil : text
    }

    /// A whole number, or its text.
    func integer(_ key: String) throws -> Int64? {
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

    /// A time in ISO 8601. Nil if the field is not there; a nil within if it is there and empty.
    func time(_ key: String) throws -> Timestamp?? {
        guard members[key] != nil else { return nil }
        guard let text = try strictText(key) else { return .some(nil) }
        guard let time = Timestamp(iso8601: text) else {
            throw Failure.invalid("\(key) must be a time in ISO 8601 with its zone, such as 2027-01-31T18:00:00Z.")
        }
        return time
    }
}

extension Unicode.Scalar {
    /// False for control characters and for what only changes how others are shown.
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
