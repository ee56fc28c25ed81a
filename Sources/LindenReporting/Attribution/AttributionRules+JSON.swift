import Linden
import LindenKernel

/// JSON form of the rules, as read from a file: every threshold and weight by name; a rule that is not named keeps its value.
extension AttributionRules {
    /// The version of changed rules that name no version.
    package static let unnumbered = 0
    /// Versions for custom rules; those below are reserved for Linden.
    package static let ownVersions = 1000...999_999
    private static let allowedPoints = -1000...1000
    private static let allowedThresholds = 1...1000
    private static let allowedWindows = 60...7_776_000
    private static let allowedOpeningWindows = 0...7_776_000
    private static let allowedTolerances = 0...3600

    /// ``candidates`` and ``densityLimit`` limit what is gathered, not what is decided, so they have no name here.
    private static let numbers: [(name: String, path: any WritableKeyPath<AttributionRules, Int> & Sendable)] = [
        ("version", \.version), ("threshold", \.threshold), ("tie_margin", \.tieMargin), ("address", \.address),
        ("own_network", \.ownNetwork), ("household", \.household), ("os_version", \.osVersion),
        ("os_version_but_patch", \.osVersionButPatch), ("model", \.model), ("screen", \.screen), ("language", \.language),
        ("other_language", \.otherLanguage), ("other_language_unlearned", \.otherLanguageUnlearned),
        ("fallback_language", \.fallbackLanguage), ("long_ago", \.longAgo),
        ("usual_window", \.usualWindow), ("high_uncompared_density", \.highUncomparedDensity),
        ("high_similar_density", \.highSimilarDensity),
        ("high_density", \.highDensity), ("shared_address", \.sharedAddress), ("nothing_compared", \.nothingCompared),
        ("common_version", \.commonVersion), ("common_model", \.commonModel), ("common_screen", \.commonScreen),
        ("known_device", \.knownDevice), ("opening_window", \.openingWindow), ("install_tolerance", \.installTolerance),
    ]
    private static let steps: [(name: String, path: any WritableKeyPath<AttributionRules, [Step]> & Sendable)] = [
        ("ages", \.ages), ("uncompared_densities", \.uncomparedDensities), ("similar_densities", \.similarDensities),
        ("densities", \.densities),
        ("version_shares", \.versionShares), ("model_shares", \.modelShares), ("screen_shares", \.screenShares),
    ]

    package static var names: [String] { numbers.map(\.name) + steps.map(\.name) }

    /// Creates the standard rules with changes. Throws `invalid` with one sentence that names the error and what is allowed.
    package init(changes: JSONObject) throws {
        self.init()
        guard !changes.isEmpty else { throw Failure.invalid("No rule is named. The rules are: \(Self.list).") }
        for (name, value) in changes {
            if let number = Self.numbers.first(where: { $0.name == name }) {
                self[keyPath: number.path] = try Self.number(value, name, in: Self.allowed(name))
            } else if let steps = Self.steps.first(where: { $0.name == name }) {
                self[keyPath: steps.path] = try Self.steps(value, name)
            } else {
                throw Failure.invalid("\"\(name)\" is not a rule. The rules are: \(Self.list).")
            }
        }
        if changes["version"] == nil, self != .standard { version = Self.unnumbered }
    }

    /// Every rule that may be changed, except the version.
    package var json: JSONObject {
        var members = JSONObject()
        for (name, path) in Self.numbers where name != "version" { members[name] = JSON(self[keyPath: path]) }
        for (name, path) in Self.steps {
            members[name] = .array(self[keyPath: path].map { ["up_to": .integer($0.upTo), "points": JSON($0.points)] })
        }
        return members
    }

    private static var list: String { names.sorted().joined(separator: ", ") }

    private static func allowed(_ name: String) -> ClosedRange<Int> {
        switch name {
        case "version": ownVersions
        case "threshold": allowedThresholds
        case "household", "tie_margin": 0...allowedPoints.upperBound
        case "usual_window": allowedWindows
        case "opening_window": allowedOpeningWindows
        case "install_tolerance": allowedTolerances
        default: allowedPoints
        }
    }

    private static func number(_ value: JSON, _ name: String, in allowed: ClosedRange<Int>) throws -> Int {
        guard let number = value.int64.flatMap(Int.init(exactly:)), allowed.contains(number) else {
            throw Failure.invalid(
                "\(name) must be a whole number from \(allowed.lowerBound) to \(allowed.upperBound), not \(value.text).")
        }
        return number
    }

    private static func steps(_ value: JSON, _ name: String) throws -> [Step] {
        let steps = try value.array?.map { step in
            guard let members = step.object, members.count == 2, let upTo = members["up_to"]?.int64, upTo >= 0,
                let points = members["points"]
            else { throw wrongSteps(name) }
            return Step(upTo: upTo, points: try number(points, "points in \(name)", in: allowedPoints))
        }
        guard let steps, !steps.isEmpty, zip(steps, steps.dropFirst()).allSatisfy({ $0.upTo < $1.upTo }) else {
            throw wrongSteps(name)
        }
        return steps
    }

    private static func wrongSteps(_ name: String) -> Failure {
        .invalid("\(name) must be a list of steps such as {up_to: 120, points: 10}, each up_to larger than the one before.")
    }
}
