import Linden

/// The kind of an analytics record. Branch's reports have the same topics, with the prefix `eo_`.
package enum Topic: String, Sendable, CaseIterable {
    /// A reportable click by a person; visits by robots are not clicks.
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

    /// The log with the rows of the topic.
    package var log: ActivityLog {
        switch self {
        case .click: .clicks
        case .open, .install, .reinstall, .webSession: .sessions
        default: .events
        }
    }

    /// Branch's name of a topic whose records are not named by the app, such as `CLICK`; nil for topics of events that the app names.
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

    /// Returns nil for a session that is not an opening.
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

/// A log of analytics records, in the order of ids.
package enum ActivityLog: String, Sendable, CaseIterable {
    case clicks
    case sessions
    case events
}
