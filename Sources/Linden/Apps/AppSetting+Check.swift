import LindenKernel
import LinkRouting

extension AppSetting {
    /// Validates a value and returns it in its stored form. Fails with `invalid` and the allowed values. An empty text counts as no value.
    package func checked(_ value: JSON) throws -> JSON {
        switch kind {
        case .certificateFingerprints: return try checkedFingerprints(value)
        case .hosts: return try checkedHosts(value)
        default: break
        }
        let text = try AppSetting.checkedText(value, name)
        guard !text.isEmpty else { return value }
        switch kind {
        case .appStoreID:
            guard let id = AppStoreID(text) else {
                throw refusal("the app's number in the App Store, such as 123456789 or id123456789, not \"\(text)\"")
            }
            return .string(id.digits)
        case .webURL: if let problem = WebURL.problem(with: text) { throw Failure.invalid("\(name) \(problem).") }
        case .uriScheme: try checkScheme(text)
        case .appName(let appName): if !appName.fits(text) { throw refusal(appName.rule) }
        case .host:
            guard (try? Domain.normalizedHost(text)) != nil else { throw refusal("a host name such as go-alternate.example.com") }
        case .flag: if !["true", "false"].contains(text) { throw refusal("true or false") }
        case .branchFlag:
            if !["true", "false", "yes", "no", "0", "1", "2"].contains(text.lowercased()) { throw refusal("true or false") }
        case .choice(let words): if !words.contains(text) { throw refusal("one of \(words.joined(separator: ", "))") }
        case .number(let range):
            guard let number = Int64(text), range.contains(number) else {
                throw refusal("a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
        case .limit(let range):
            guard text == "off" || Int64(text).map(range.contains) == true else {
                throw refusal("a whole number from \(range.lowerBound) to \(range.upperBound), or off")
            }
        case .days:
            if AttributionWindows.number(text) == nil { throw refusal("a number of days, from 0 to 90; 0.5 is twelve hours") }
        case .currency:
            if Currency(text) == nil { throw refusal("a code of ISO 4217 such as EUR: revenue is reported in it") }
        case .uriRedirectMode:
            if URIRedirectMode(text) == nil { throw refusal("0 (conservative), 1 (smart) or 2 (force)") }
        case .color:
            if RGBColor(text) == nil {
                throw refusal("a colour such as #256a45: a number sign and six or three hexadecimal digits")
            }
        case .text, .deepview, .certificateFingerprints, .hosts: break
        }
        return value
    }

    /// Validates the value of any setting, known or not. Strings are at most 255 characters (Branch's app configuration).
    static func checkedText(_ value: JSON, _ name: String) throws -> String {
        guard let text = value.scalarText else {
            throw Failure.invalid("\(name) must be a string, a number or a boolean, not \(value.kind).")
        }
        guard text.unicodeScalars.count <= 255 else { throw Failure.invalid("\(name) may have at most 255 characters.") }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw Failure.invalid("\(name) must not contain control characters.")
        }
        return text
    }

    /// The maximum number of hosts or fingerprints in a setting.
    private static let mostListed = 200

    private func refusal(_ rule: String) -> Failure { .invalid("\(name) must be \(rule).") }

    private func checkScheme(_ text: String) throws {
        let scheme = text.hasSuffix("://") ? String(text.dropLast(3)) : text
        let isScheme =
            scheme.first?.isASCII == true && scheme.first?.isLetter == true
            && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        guard isScheme else { throw refusal("a URI scheme such as myapp: a letter, then letters, digits, +, - or a dot") }
        guard !["http", "https", "javascript", "data", "file", "vbscript", "blob", "about"].contains(scheme.lowercased()) else {
            throw refusal("the app's own URI scheme, not \(scheme)")
        }
    }

    private func checkedHosts(_ value: JSON) throws -> JSON {
        let texts = AppConfiguration.hosts(value)
        guard texts.count <= Self.mostListed else { throw refusal("at most \(Self.mostListed) host names, not \(texts.count)") }
        let hosts = try texts.map { text in
            let isWildcard = text.hasPrefix("*.")
            do {
                return try (isWildcard ? "*." : "") + Domain.normalizedHost(isWildcard ? String(text.dropFirst(2)) : text)
            } catch is Failure {
                throw refusal("host names such as example.com, or *.example.com for all below it, not \"\(text)\"")
            }
        }
        return JSON(hosts)
    }

    private func checkedFingerprints(_ value: JSON) throws -> JSON {
        let elements = value.array ?? [value]
        guard elements.count <= Self.mostListed else {
            throw refusal("at most \(Self.mostListed) SHA-256 fingerprints, not \(elements.count)")
        }
        let fingerprints = try elements.map { element in
            let digits = Array((element.string ?? "").uppercased().filter { $0 != ":" })
            guard digits.count == 64, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
                throw refusal("SHA-256 fingerprints: 32 two-digit hexadecimal numbers")
            }
            return stride(from: 0, to: 64, by: 2).map { String(digits[$0...($0 + 1)]) }.joined(separator: ":")
        }
        return JSON(fingerprints)
    }
}
