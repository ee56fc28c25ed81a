import LindenKernel
import LinkRouting

/// The comparison of the traits that a click's browser reported with those that the SDK reports.
struct TraitComparison {
    private(set) var signals: [Candidate.Signal] = []
    /// Why it cannot be the same device; nil if it can.
    private(set) var exclusion: String?
    private var hasCompared = false

    init(_ theirs: Evidence.Traits, _ fingerprintSignals: Evidence.FingerprintSignals, _ rules: AttributionRules) {
        let mine = fingerprintSignals.traits
        let commonness = fingerprintSignals.commonness
        compareVersion(mine.osVersion, theirs.osVersion, commonness?.osVersion, rules)
        if let own = mine.model, let model = theirs.model {
            compare("model", own, model, isSame: own.lowercased() == model.lowercased()) {
                rules.model + Self.points(rules.modelShares, commonness?.model, rules.commonModel)
            }
        }
        if let own = mine.screen, let screen = theirs.screen {
            compare("screen", own.text, screen.text, isSame: own.looksLike(screen, on: mine.os)) {
                // A model implies its screen.
                mine.model != nil && theirs.model != nil
                    ? 0 : rules.screen + Self.points(rules.screenShares, commonness?.screen, rules.commonScreen)
            }
        }
        if !hasCompared, rules.nothingCompared != 0 {
            signals.append(.init("traits", "no version, model or screen to compare", rules.nothingCompared))
        }
        if let own = mine.language, let language = theirs.language {
            compareLanguage(own.lowercased(), language.lowercased(), fingerprintSignals.appLanguages, rules)
        }
    }

    private mutating func compareVersion(_ own: String?, _ other: String?, _ share: Int64?, _ rules: AttributionRules) {
        let seen = "\(own ?? "?") and \(other ?? "?")"
        let rarity = Self.points(rules.versionShares, share, rules.commonVersion)
        switch OSVersionComparison(own, other) {
        case .unknown: signals.append(.init("os_version", seen, 0))
        case .same:
            signals.append(.init("os_version", "both \(own ?? "")", rules.osVersion + rarity))
            hasCompared = true
        case .sameButPatch:
            signals.append(.init("os_version", seen, rules.osVersionButPatch + rarity))
            hasCompared = true
        case .different:
            signals.append(.init("os_version", seen))
            exclusion = "It was made on another version of the system."
        }
    }

    private mutating func compare(_ name: String, _ own: String, _ other: String, isSame: Bool, points: () -> Int) {
        signals.append(.init(name, isSame ? "both \(own)" : "\(own) and \(other)", isSame ? points() : nil))
        if isSame { hasCompared = true } else { exclusion = exclusion ?? "It was made on another \(name)." }
    }

    /// Scores the language. An SDK on iOS reports the localization in which the app runs. If the app does not speak the device's language,
    /// that is the app's fallback, which disagrees with nothing.
    private mutating func compareLanguage(_ own: String, _ other: String, _ known: [String], _ rules: AttributionRules) {
        if own == other {
            signals.append(.init("language", "both \(own)", rules.language))
        } else if own == known.first, !known.contains(other) {
            signals.append(.init("language", "\(own) and \(other), which the app does not speak", rules.fallbackLanguage))
        } else {
            signals.append(
                .init("language", "\(own) and \(other)", known.isEmpty ? rules.otherLanguageUnlearned : rules.otherLanguage))
        }
    }

    private static func points(_ steps: [AttributionRules.Step], _ share: Int64?, _ beyond: Int) -> Int {
        share.map { steps.points(for: $0, beyond: beyond) } ?? 0
    }
}

/// The comparison of two OS versions. A browser may leave out the last part, which an SDK reports.
private enum OSVersionComparison {
    case unknown, same, sameButPatch, different

    init(_ one: String?, _ other: String?) {
        guard let one, let other else {
            self = .unknown
            return
        }
        if one == other {
            self = .same
        } else if Self.withoutPatch(one) == other || Self.withoutPatch(other) == one {
            self = .sameButPatch
        } else {
            self = .different
        }
    }

    /// Returns the version without its third part: `26.2` for `26.2.1`; nil if there is no third part.
    private static func withoutPatch(_ version: String) -> String? {
        let parts = version.split(separator: ".")
        return parts.count == 3 ? OSVersion.normalized(parts.prefix(2).joined(separator: ".")) : nil
    }
}

extension Evidence.Traits {
    /// The OS versions under which a browser on this device may be recorded: the device's own; the version without its last part, where
    /// browsers leave it out; and the empty one. Since iOS 26, Safari's own version stands for the system's: `26.2` for `26.2.1`.
    package var comparableVersions: [String] {
        guard let osVersion else { return [""] }
        let parts = osVersion.utf8.split(separator: UInt8(ascii: "."))
        guard os == "iOS", parts.count == 3, let major = Int(Substring(parts[0])), major > 18 else { return [osVersion, ""] }
        return [osVersion, OSVersion.normalized(osVersion[..<parts[2].startIndex]), ""]
    }
}
