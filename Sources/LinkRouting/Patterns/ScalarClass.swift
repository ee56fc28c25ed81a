/// The characters that one place of a pattern accepts. A character is a Unicode scalar: so it is for the regular expressions of
/// Roots, and in the percent-encoded text that the vendors compare there is no difference.
public enum ScalarClass: Sendable, Hashable {
    case any
    case exactly(Unicode.Scalar)
    /// The ASCII letters, digits and hexadecimal digits of Apple's predefined variables.
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

    /// The class that accepts the lower-case forms of what this one accepts.
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
    /// The lower-case form, where that is a single scalar; letter case then never changes a text's length.
    var folded: Unicode.Scalar {
        if isASCII { return ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(value) + 32) : self }
        let lower = properties.lowercaseMapping.unicodeScalars
        return lower.count == 1 ? lower.first! : self
    }
}
