import CoreMetrics
import Linden
import LinkRouting

/// The number of recorded visits, by people and by each kind of robot.
final class ClickMetrics: Sendable {
    private let people: Counter
    private let robots: [RobotReason: Counter]

    init(factory: any MetricsFactory) {
        func counter(_ visitor: String, _ reason: String) -> Counter {
            Counter(label: "linden_clicks_total", dimensions: [("visitor", visitor), ("reason", reason)], factory: factory)
        }
        people = counter("person", "")
        robots = Dictionary(uniqueKeysWithValues: RobotReason.allCases.map { ($0, counter("robot", $0.rawValue)) })
    }

    /// Counts the result of a visit if it was recorded.
    func record(_ result: VisitResult) {
        guard result.isRecorded else { return }
        if let reason = result.visitor.robot { robots[reason]?.increment() } else { people.increment() }
    }
}
