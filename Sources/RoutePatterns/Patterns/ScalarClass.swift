/// A class of characters that a position of a pattern accepts. A character is a Unicode scalar, as in the regular expressions of Roots; in
/// the percent-encoded text that the vendors compare there is no difference.
public enum ScalarClass: Sendable, Hashable {
    case any
    case exactly(Unicode.Scalar)
    /// Classes of ASCII characters, after Apple's predefined variables.
    case alpha, upper, lower, alnum, digit, xdigit

    public func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .any: true
        case .exactly(let wanted): scalar == wanted
        case .upper: ("A"..."Z").contains(scalar)
        case .lower: ("a"..."z").contains(scalar)
        case .digit: ("0"..."9").contains(scalar)
        case .alpha: ScalarClass.upper.contains(scalar) || ScalarClass.lower.contains(scalar)
        case .alnum: ScalarClass.alpha.contains(scalar) || ScalarClass.digit.contains(scalar)
        case .xdigit: ScalarClass.digit.contains(scalar) || ("A"..."F").contains(scalar) || ("a"..."f").contains(scalar)
        }
    }

    /// The class that accepts the lower-case forms of this one's characters.
    var folded: ScalarClass {
        switch self {
        case .exactly(let scalar): .exactly(scalar.folded)
        case .upper: .lower
        case .alpha: .lower
        case .any, .lower, .alnum, .digit, .xdigit: self
        }
    }
}

extension Unicode.Scalar {
    /// The lower-case form if it is a single scalar, else the scalar itself, so that folding never changes a text's length.
    var folded: Unicode.Scalar {
        if isASCII { return ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(value) + 32) : self }
        let lower = properties.lowercaseMapping.unicodeScalars
        return lower.count == 1 ? lower.first! : self
    }
}
