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
    /// The three files of Branch's former export (`GET /v2/export`), with columns of their own. Sessions are among the events.
    case links, clicks, events

    /// What happens, as Branch divides it today.
    package static let daily = allCases.filter { !$0.isOld }

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
        /// Those that ``ExportTopic/topic(ofEvent:endpoint:)`` gives this topic.
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
        case .commerceEvent, .contentEvent, .customEvent, .dismissal, .pageview, .userLifecycleEvent: .events
        case .branchCTAView, .impression, .webToAppAutoRedirect: .nothing
        }
    }

    /// The topic of an event by the call it came by and its name (Branch, Events API, "standard events").
    package static func topic(ofEvent name: String, endpoint: String) -> ExportTopic {
        switch endpoint {
        case "v1/pageview": .pageview
        case "v1/dismiss": .dismissal
        case "v1/register-view", "v1/content-events": .contentEvent
        case "v2/event/standard": standard[name] ?? .customEvent
        default: .customEvent
        }
    }

    private static let standard: [String: ExportTopic] = {
        let names: [(ExportTopic, String)] = [
            (
                .commerceEvent,
                "ADD_TO_CART ADD_TO_WISHLIST VIEW_CART INITIATE_PURCHASE ADD_PAYMENT_INFO CLICK_AD PURCHASE RESERVE SPEND_CREDITS VIEW_AD"
            ),
            (
                .contentEvent,
                "SEARCH VIEW_ITEM VIEW_ITEMS RATE SHARE INITIATE_STREAM COMPLETE_STREAM VIEW_CONTENT VIEW_CONTENT_LIST SHARE_CONTENT_ITEM"
            ),
            (
                .userLifecycleEvent,
                "COMPLETE_REGISTRATION COMPLETE_TUTORIAL ACHIEVE_LEVEL UNLOCK_ACHIEVEMENT INVITE LOGIN START_TRIAL SUBSCRIBE"
            ),
        ]
        return Dictionary(
            uniqueKeysWithValues: names.flatMap { topic, names in names.split(separator: " ").map { (String($0), topic) } })
    }()
}

extension Session.Kind {
    /// All that are sessions; a change of users is none.
    package static let openings: Set<Session.Kind> = [.install, .open, .web, .reinstall, .fullAppConversion]
}
