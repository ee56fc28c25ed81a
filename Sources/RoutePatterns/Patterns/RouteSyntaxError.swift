/// The reason why a pattern, filter, registration, route or table is rejected. The message says what is allowed.
public struct RouteSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case empty
        case tooLong = "too_long"
        case unbalancedBraces = "unbalanced_braces"
        case emptyComponent = "empty_component"
        case badName = "bad_name"
        case unsupportedCharacter = "unsupported_character"
        case unknownVariable = "unknown_variable"
        case unknownKey = "unknown_key"
        case duplicatePath = "duplicate_path"
        case duplicateID = "duplicate_id"
        case unknownID = "unknown_id"
    }

    public var code: Code
    public var message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}

extension RouteSyntaxError {
    static func empty(_ what: String) -> RouteSyntaxError {
        RouteSyntaxError(.empty, "\(what) is empty; it needs at least one character")
    }

    static func tooLong(_ what: String) -> RouteSyntaxError {
        RouteSyntaxError(.tooLong, "\(what) is too long; at most \(PatternLimits.patternLength) bytes are allowed")
    }

    static let tooHeavy = RouteSyntaxError(
        .tooLong, "the pattern with its variables' values is too long; at most \(PatternLimits.weight) characters are allowed")

    static let tooManyRules = RouteSyntaxError(
        .tooLong,
        "the rules of all apps with their variables' values are too long; at most \(PatternLimits.rulesWeight) characters are allowed"
    )

    static func duplicatePath(_ path: String) -> RouteSyntaxError {
        RouteSyntaxError(.duplicatePath, "'\(path)' is registered already; each path may be registered once")
    }

    /// Throws if a text is empty or longer than ``PatternLimits/patternLength``.
    static func checkLength(of pattern: String, named what: String) throws(RouteSyntaxError) {
        guard !pattern.isEmpty else { throw empty(what) }
        guard pattern.utf8.count <= PatternLimits.patternLength else { throw tooLong(what) }
    }
}
