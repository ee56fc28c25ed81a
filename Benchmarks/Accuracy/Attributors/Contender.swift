import Linden

/// An attributor that takes part in the benchmark, and the other thresholds for its precision–recall curve.
struct Contender: Sendable {
    let name: String
    /// A short description of the rule.
    let rule: String
    /// The published threshold; nil for rules without a score.
    let threshold: Double?
    let otherThresholds: [Double]
    private let make: @Sendable (Double) -> any Attributor

    /// - Parameter make: makes the attributor with a threshold; 0 for rules without one.
    init(
        _ rule: String, threshold: Double? = nil, otherThresholds: [Double] = [],
        make: @escaping @Sendable (Double) -> any Attributor
    ) {
        name = make(threshold ?? 0).name
        self.rule = rule
        self.threshold = threshold
        self.otherThresholds = otherThresholds
        self.make = make
    }

    /// - Parameter threshold: nil for the published threshold.
    func attributor(threshold: Double? = nil) -> any Attributor {
        make(threshold ?? self.threshold ?? 0)
    }

    var thresholds: [Double] { threshold.map { (otherThresholds + [$0]).sorted() } ?? [] }
}

extension Contender {
    static let linden = Contender(
        "the rules of this version, see Sources/Linden/Attribution", threshold: Double(AttributionRules.standard.threshold),
        otherThresholds: [10, 20, 30, 40, 50, 55, 65, 70, 75, 80, 90, 100, 110, 120]
    ) { LindenAttributor(threshold: $0) }

    /// Linden's previous rules, with the evidence available to them.
    static let previous = Contender("Linden's rules before") { _ in LindenAttributor(.version5) }

    /// Rules published by others.
    ///
    /// Where a description leaves something open, the reading that favours the rule is used: clicks count for their own app only, robots
    /// that identify themselves are left out, a click is consumed by its match, and of equals the newest is taken. They attribute installs
    /// only.
    static let baselines = [
        Contender(
            "one click of the address, system and browser version within 5 minutes, ties by screen, time zone, language"
        ) {
            _ in ExactBaseline()
        },
        Contender(
            "points among the newest 1000 clicks of the whole server within 7 days, never given away",
            threshold: 70,
            otherThresholds: [40, 50, 60, 80, 90, 100]
        ) { AllClicksBaseline(threshold: $0) },
        Contender("the newest click of the address within an hour") { _ in AddressBaseline() },
        Contender(
            "points for what the device tells, among the newest 50 clicks within 48 hours", threshold: 0.5,
            otherThresholds: [0.25, 0.4, 0.6, 0.7, 0.8, 0.85, 0.95, 1]
        ) { NoAddressBaseline(threshold: $0) },
        Contender(
            "points for address and device within 15 minutes", threshold: 800,
            otherThresholds: [500, 600, 700, 900, 1000, 1100, 1200, 1300]
        ) { PointsBaseline(threshold: $0) },
        Contender("the newest click of the address, user agent and screen within 15 minutes") { _ in AgentAndScreenBaseline() },
    ]

    static let all = [linden, previous] + baselines
}
