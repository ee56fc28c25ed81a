/// What kind of thing happened, as it is counted. Branch's reports have the same topics (`eo_` before the name).
package enum Topic: String, Sendable, CaseIterable {
    /// By a person, on a link that is counted.
    case click
    case open
    case install
    case reinstall
    case webSession = "web_session"
    case pageview
    case commerceEvent = "commerce_event"
    case contentEvent = "content_event"
    case userLifecycleEvent = "user_lifecycle_event"
    case customEvent = "custom_event"
    case dismissal
    case textMessage = "sms_sent"

    /// Where its rows are.
    package var log: ActivityLog {
        switch self {
        case .click: .clicks
        case .open, .install, .reinstall, .webSession: .sessions
        default: .events
        }
    }

    /// Branch's name of what is no event of the app's own choosing, such as `CLICK`; nil for events that are named by the app.
    package var builtInName: String? {
        switch self {
        case .click: "CLICK"
        case .open: "OPEN"
        case .install: "INSTALL"
        case .reinstall: "REINSTALL"
        case .webSession: "WEB_SESSION_START"
        case .pageview: "PAGEVIEW"
        case .dismissal: "DISMISSAL"
        case .textMessage: "SMS_SENT"
        case .commerceEvent, .contentEvent, .userLifecycleEvent, .customEvent: nil
        }
    }

    /// Nil for what is no opening.
    package init?(_ kind: Session.Kind) {
        switch kind {
        case .install, .fullAppConversion: self = .install
        case .open: self = .open
        case .web: self = .webSession
        case .reinstall: self = .reinstall
        case .userChange: return nil
        }
    }

    package init(_ kind: EventKind) {
        switch kind {
        case .custom: self = .customEvent
        case .commerce: self = .commerceEvent
        case .content: self = .contentEvent
        case .lifecycle: self = .userLifecycleEvent
        case .pageView: self = .pageview
        case .dismissal: self = .dismissal
        case .textMessage: self = .textMessage
        }
    }
}

/// The logs that hold what happened, each in the order of its ids.
package enum ActivityLog: String, Sendable, CaseIterable {
    case clicks
    case sessions
    case events
}
