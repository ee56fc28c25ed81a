/// What an export is of, under the names of Branch's daily exports, or of those before 2018.
package enum ExportTopic: String, Sendable, CaseIterable {
    case branchCTAView = "eo_branch_cta_view"
    case click = "eo_click"
    case commerceEvent = "eo_commerce_event"
    case contentEvent = "eo_content_event"
    case customEvent = "eo_custom_event"
    case dismissal = "eo_dismissal"
    case impression = "eo_impression"
    case install = "eo_install"
    case open = "eo_open"
    case pageview = "eo_pageview"
    case reinstall = "eo_reinstall"
    case userLifecycleEvent = "eo_user_lifecycle_event"
    case webSessionStart = "eo_web_session_start"
    case webToAppAutoRedirect = "eo_web_to_app_auto_redirect"
    /// A text message that somebody wanted sent to his phone. Branch's custom exports have it, its daily ones had.
    case smsSent = "eo_sms_sent"
    /// The three files of Branch's former export (`GET /v2/export`), with columns of their own. Sessions are among the events.
    case links, clicks, events

    /// What happens, as Branch divides it today.
    package static let current = allCases.filter { !$0.isOld }

    /// Those of them that Branch's daily exports have.
    package static let daily = current.filter { $0 != .smsSent }

    var isOld: Bool {
        switch self {
        case .links, .clicks, .events: true
        default: false
        }
    }

    /// Fails with `invalid`, and says what topics there are.
    package init(named name: String) throws {
        guard let topic = ExportTopic(rawValue: name) else {
            throw Failure.invalid(
                "There is no topic \"\(name)\". Topics are " + Self.allCases.map(\.rawValue).joined(separator: ", ") + ".")
        }
        self = topic
    }

    /// The log that a topic's rows are in.
    package enum Source: Sendable {
        /// Those of people; visits by machines are no clicks.
        case clicks
        case sessions(Set<Session.Kind>)
        /// Those of the kinds that have this topic.
        case events
        /// Sessions and events, of every kind.
        case activity
        case links
        /// Linden records nothing of the kind.
        case nothing
    }

    package var source: Source {
        switch self {
        case .click, .clicks: .clicks
        case .links: .links
        case .events: .activity
        case .install: .sessions([.install, .fullAppConversion])
        case .open: .sessions([.open])
        case .reinstall: .sessions([.reinstall])
        case .webSessionStart: .sessions([.web])
        case .commerceEvent, .contentEvent, .customEvent, .dismissal, .pageview, .userLifecycleEvent, .smsSent: .events
        case .branchCTAView, .impression, .webToAppAutoRedirect: .nothing
        }
    }

    /// Rows are in the topic that they are counted in.
    package init(_ topic: Topic) {
        self =
            switch topic {
            case .click: .click
            case .open: .open
            case .install: .install
            case .reinstall: .reinstall
            case .webSession: .webSessionStart
            case .pageview: .pageview
            case .commerceEvent: .commerceEvent
            case .contentEvent: .contentEvent
            case .userLifecycleEvent: .userLifecycleEvent
            case .customEvent: .customEvent
            case .dismissal: .dismissal
            case .textMessage: .smsSent
            }
    }
}

extension Session.Kind {
    /// All that are sessions; a change of users is none.
    package static let openings: Set<Session.Kind> = [.install, .open, .web, .reinstall, .fullAppConversion]
}
