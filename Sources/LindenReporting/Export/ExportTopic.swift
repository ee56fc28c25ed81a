import Linden
import LindenKernel

/// The topic of an export, under its name in Branch's daily exports or in those before 2018.
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
    /// A text message with a link, sent at a visitor's request. Branch has it in custom exports and formerly had it in daily ones.
    case smsSent = "eo_sms_sent"
    /// The three files of Branch's export before 2018, with columns of their own. The events include sessions.
    case links, clicks, events

    /// The topics of Branch's current exports.
    package static let current = allCases.filter { !$0.isOld }

    /// The topics of Branch's daily exports.
    package static let daily = current.filter { $0 != .smsSent }

    var isOld: Bool {
        switch self {
        case .links, .clicks, .events: true
        default: false
        }
    }

    /// Reads the name of a topic. Fails with `invalid`; the message lists the topics.
    package init(named name: String) throws {
        guard let topic = ExportTopic(rawValue: name) else {
            throw Failure.invalid(
                "There is no topic \"\(name)\". Topics are " + Self.allCases.map(\.rawValue).joined(separator: ", ") + ".",
                at: "report_type")
        }
        self = topic
    }

    /// The log with the rows of a topic.
    package enum Source: Sendable {
        /// Clicks by people, without visits by robots.
        case clicks
        case sessions(Set<Session.Kind>)
        /// Events of the kinds that belong to the topic.
        case events
        /// Sessions and events of every kind.
        case activity
        case links
        /// Linden records nothing for the topic.
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

    /// Returns the export topic with the rows that an analytics topic counts.
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
    /// All kinds of sessions except a change of the identity.
    package static let openings: Set<Session.Kind> = [.install, .open, .web, .reinstall, .fullAppConversion]
}
