import LindenReporting

/// The rows that the live page shows, of all kinds or of one.
enum LiveKind: String, CaseIterable, Sendable {
    case all, clicks, installs, opens, events

    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    var topics: [ExportTopic] {
        switch self {
        case .all: Self.allCases.filter { $0 != .all }.flatMap(\.topics)
        case .clicks: [.click]
        case .installs: [.install, .reinstall]
        case .opens: [.open, .webSessionStart]
        case .events: [.commerceEvent, .contentEvent, .userLifecycleEvent, .customEvent, .pageview, .dismissal, .smsSent]
        }
    }
}
