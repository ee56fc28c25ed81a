import BranchWire
import Linden
import LindenKernel
import LindenReporting

/// A click, session or event as the live page shows it: the columns of its exported row that all readers of sessions may see. Ids of devices
/// and users, addresses and the app's own data are not among them.
package struct LiveRow: Sendable, Equatable {
    let time: Timestamp
    /// What happened, such as `Click` or `PURCHASE`.
    let what: String
    /// The reference of a session, which has an explanation; nil for clicks and events.
    let session: String?
    /// The link's title or labels; nil without a link.
    let link: String?
    let linkID: String?
    let system: String
    package let platform: LivePlatform
    let country: String
    /// The revenue with its currency.
    let amount: String

    /// The maximum length of a text in characters. Apps choose names of events, and titles.
    private static let longestText = 80

    /// - Parameter members: a row of an export, with its topic and the columns that are not empty.
    package init(_ members: JSONObject) {
        func text(_ name: String) -> String? {
            guard let text = members[name]?.scalarText, !text.isEmpty else { return nil }
            return String(text.prefix(Self.longestText))
        }
        func touch(_ name: String) -> String? { text("last_attributed_touch_data_" + name) }
        let topic = members["topic"]?.string.flatMap { ExportTopic(rawValue: $0) }
        let ownData = members["last_attributed_touch_data_custom_fields"]?.object
        time = Timestamp(milliseconds: members["timestamp"]?.int64 ?? 0)
        what = Self.titles[topic ?? .customEvent] ?? text("name") ?? "Event"
        session = Self.sessions.contains(topic ?? .customEvent) ? text("id").map { Session.referencePrefix + $0 } : nil
        linkID = touch("tilde_id")
        let labels = [touch("tilde_channel"), touch("tilde_campaign")].compactMap { $0 }.joined(separator: " / ")
        let title = touch("dollar_marketing_title") ?? ownData?["$og_title"]?.string.map { String($0.prefix(Self.longestText)) }
        link = linkID == nil ? nil : title ?? (labels.isEmpty ? "a link" : labels)
        platform = LivePlatform(members["user_data_os"]?.string)
        system = Self.system(
            text("user_data_os"), text("user_data_os_version_android") ?? text("user_data_os_version"))
        country = text("user_data_geo_country_code") ?? ""
        amount = [text("event_data_revenue"), text("event_data_currency")].compactMap { $0 }.joined(separator: " ")
    }

    /// Returns the name and version of a system as people write them: `Android 14` for the API level 34, which the Android SDK sends.
    private static func system(_ os: String?, _ version: String?) -> String {
        let name = os.map { systems[$0] ?? $0 }
        if os == "ANDROID", let level = version.flatMap({ AndroidRelease.level($0) }) {
            return AndroidRelease.name(ofLevel: level).map { "Android " + $0 } ?? "Android, API level \(level)"
        }
        return [name, version].compactMap { $0 }.joined(separator: " ")
    }

    /// The names of systems as exports have them, and as people write them.
    static let systems = [
        "IOS": "iOS", "ANDROID": "Android", "MAC_OS": "macOS", "WINDOWS": "Windows", "LINUX": "Linux",
    ]
    private static let titles: [ExportTopic: String] = [
        .click: "Click", .install: "Install", .reinstall: "Reinstall", .open: "Open", .webSessionStart: "Web session",
        .pageview: "Page view", .dismissal: "Dismissal", .smsSent: "Text message",
    ]
    private static let sessions: Set<ExportTopic> = [.install, .reinstall, .open, .webSessionStart]

    /// The row for the script of the page, which makes the addresses of links and sessions from their ids.
    package var json: JSON {
        [
            "time": .string(time.iso8601), "shown": .string(shownTime), "what": .string(what), "session": JSON(session),
            "link": JSON(link), "linkID": JSON(linkID), "system": .string(system), "country": .string(country),
            "amount": .string(amount),
        ]
    }

    /// The time of day, to the second.
    private var shownTime: String { String(time.iso8601.dropFirst(11).prefix(8)) }

    func cells(of scope: Scope) -> [Cell] {
        [
            .time(time.iso8601, as: shownTime), Cell(what, href: session.map { PagePath.sessions(scope) + "/" + $0 }),
            Cell(link ?? "", href: link == nil ? nil : linkID.map { PagePath.links(scope) + "/" + $0 }), Cell(system),
            Cell(country), .figure(amount),
        ]
    }
}
