import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenServices

/// All tools. Each is a call of the management API, whose parameters and answers `/openapi.yaml` describes.
extension MCPTool {
    static let all = [
        MCPTool(
            "list_apps", "List apps", "List the apps that the token is valid for, with their ids, keys and domains.", "/api/v1/apps"
        ),
        MCPTool(
            "list_links", "List links",
            "Find links of an app by text, labels, tag, folder, state and time of creation, page by page.",
            "/api/v1/links",
            [
                .app, .query("search", "Part of a path, alias, label or of the links' data; or the id of a link."),
                .query("channel"), .query("feature"),
                .query("campaign"), .query("stage"), .query("tag"), .query("folder"),
                .query(
                    "state", "open, ended (expired or used up), archived or deleted.", in: LinkFilter.State.allCases.map(\.rawValue)
                ),
                .from, .to, .query("sort", in: ["newest", "oldest"]), .cursor, .limit(1000),
            ]),
        MCPTool(
            "create_link", "Create a link",
            "Create a short link. data has what the app receives when the link opens it, and $ keys that control where it leads, such as "
                + "$deeplink_path, $fallback_url, $desktop_url, $ios_url, $android_url, $og_title, $og_description and $og_image_url.",
            "/api/v1/links",
            [
                .app, .body("data", ["type": "object"], "Data for the app, and $ keys."),
                .body("alias", "The link's path, instead of a random one."), .body("channel", "Where it is shared, such as mail."),
                .body("feature", "What it is for, such as invite."), .body("campaign"), .body("stage"),
                .body("tags", ["type": "array", "items": ["type": "string"]]), .body("folder", "The folder to keep it in."),
                .body("expires_at", "A time such as 2027-01-31T18:00:00Z."), .body("expired_url", "Where it leads once expired."),
                .body("max_clicks", ["type": "integer", "minimum": 1], "How many visits it takes."),
                .body("template", "One of list_templates by its name, for the labels and data that are not given."),
            ], method: .post, to: .createLinks),
        MCPTool(
            "list_templates", "List templates of links",
            "List the app's templates, with which create_link can begin: their names and labels, without their data.",
            "/api/v1/links/templates?without_data=true", [.app]),
        MCPTool(
            "read_link", "Show a link", "Show a link with its data, labels, limits and warnings.", "/api/v1/links/{link_id}",
            [.link]),
        MCPTool(
            "link_statistics", "Count a link's clicks and installs", "Count the clicks, installs and opens of a link.",
            "/api/v1/links/{link_id}/statistics", [.link], to: .readTotals),
        MCPTool(
            "preview_link", "Preview where a link leads",
            "Show where a link leads an iPhone, an Android phone, a desktop and other visitors, and why. Records no click.",
            "/api/v1/preview",
            [
                .query("link", "The link's URL (a query may be appended), alias or id.", isRequired: true),
                .query("as", "One visitor rather than all.", in: ExampleVisitor.all.map(\.name)),
                .query("user_agent", "The User-Agent header of one visitor, in place of as."),
                .query("country", "The visitor's country, as two letters."), .flag("has_app", "Whether the visitor has the app."),
            ]),
        analytics(
            .counts, "count_events", "Count what happened", "Count clicks, installs, opens or events of an app by time and label."),
        analytics(
            .top, "top_values", "Rank labels or links",
            "List the labels, links or event names with most clicks, installs or events."),
        analytics(
            .funnel, "funnel", "Funnel from click to event", "Count how many clicks led to installs, and installs to an event."),
        analytics(.cohort, "cohorts", "Cohorts of installs", "Count how many of each week's installs came back in the days after."),
        analytics(.lifetimeValue, "lifetime_value", "Lifetime value", "Sum the revenue of installs by what led to them."),
        analytics(
            .attribution, "attribution_summary", "How installs were attributed", "Count installs by how they were attributed."),
        MCPTool(
            "list_content", "List content",
            "List the content (Branch Universal Objects) that an app's links and events refer to, with views, shares, clicks, purchases "
                + "and revenue: the newest, or that with most of one.",
            "/api/v1/content",
            [
                .app,
                .query(
                    "sort", "What comes first; newest if it is missing.", in: ["newest"] + ObjectMeasure.allCases.map(\.rawValue)),
                .query("from", "The first day, such as 2027-01-31, or a period such as 30d; with a sort other than newest."),
                .query("to", "The last day; with a sort other than newest."),
                .query("cursor", "next_cursor of the page before; with the sort newest."), .limit(1000),
            ], to: .readTotals),
        MCPTool(
            "list_sessions", "List sessions",
            "List an app's installs and opens, newest first, with the outcome of their attribution. All conditions must hold.",
            "/api/v1/sessions",
            [
                .app, .query("search", "Text in the parameters that the app received."),
                .query(
                    "outcome", "matched, refused (clicks were compared, none matched) or organic.",
                    in: AttributionDecision.Outcome.allCases.map(\.rawValue)),
                .query("kind", in: SessionFilter.kinds),
                .query("link", "The id of the link that the session is attributed to, from list_links."),
                .query("platform", "web: browsers.", in: SessionFilter.Platform.allCases.map(\.rawValue)),
                .query("channel", "The channel of the link."), .from, .to, .cursor, .limit(1000),
            ], to: .readSessions),
        MCPTool(
            "explain_session", "Explain an attribution",
            "Explain why an install or open was attributed to a link or to none: the rules, each click that was compared, its points and "
                + "why it lost.",
            "/api/v1/sessions/{session_id}/explanation",
            [.path("session_id", "The session's id, from list_sessions.")], to: .readSessions),
        MCPTool(
            "run_doctor", "Check an app",
            "Check an app's attribution, settings, security and events. Each finding has a status and the command that solves its problem.",
            "/api/v1/doctor", [.app], to: .readSetUp),
    ]

    private static func analytics(_ question: AnalyticsQuestion, _ name: String, _ title: String, _ description: String) -> MCPTool
    {
        MCPTool(
            name, title, description, "/api/v1/analytics/" + question.rawValue,
            question.parameters.compactMap { Argument.ofAnalytics[$0] }, to: .readTotals)
    }
}

extension MCPTool.Argument {
    fileprivate static let app = query(
        "app", "The app's id (its live side), or its live or test key; from list_apps.", isRequired: true)
    fileprivate static let link = path("link_id", "The link's id, from list_links or create_link.")
    fileprivate static let from = query(
        "from", "The first day, such as 2027-01-31, a time, or a period such as today, 7d or last-month.")
    fileprivate static let to = query("to", "The last day, or a time; now if it is missing.")
    fileprivate static let cursor = query("cursor", "next_cursor of the page before.")

    fileprivate static func limit(_ most: Int64) -> Self {
        Self(
            name: "limit", place: .query, isRequired: false,
            schema: ["type": "integer", "minimum": 1, "maximum": .integer(most), "description": "Rows of a page."])
    }

    fileprivate static func query(_ name: String, _ description: String = "", in values: [String] = [], isRequired: Bool = false)
        -> Self
    {
        Self(name: name, place: .query, isRequired: isRequired, schema: schema(["type": "string"], description, values))
    }

    fileprivate static func flag(_ name: String, _ description: String) -> Self {
        Self(name: name, place: .query, isRequired: false, schema: schema(["type": "boolean"], description))
    }

    fileprivate static func path(_ name: String, _ description: String) -> Self {
        Self(name: name, place: .path, isRequired: true, schema: schema(["type": "string"], description))
    }

    fileprivate static func body(_ name: String, _ type: JSONObject = ["type": "string"], _ description: String = "") -> Self {
        Self(name: name, place: .body, isRequired: false, schema: schema(type, description))
    }

    fileprivate static func body(_ name: String, _ description: String) -> Self { body(name, ["type": "string"], description) }

    private static func list(_ name: String, _ description: String) -> Self {
        Self(
            name: name, place: .query, isRequired: false,
            schema: schema(["type": "array", "items": ["type": "string"]], description))
    }

    private static func number(_ name: String, _ description: String) -> Self {
        Self(name: name, place: .query, isRequired: false, schema: schema(["type": "integer"], description))
    }

    private static func schema(_ type: JSONObject, _ description: String, _ values: [String] = []) -> JSONObject {
        var schema = type
        if !description.isEmpty { schema["description"] = .string(description) }
        if !values.isEmpty { schema["enum"] = JSON(values) }
        return schema
    }

    /// The arguments of the analytics tools, by the names of ``LindenReporting/AnalyticsQuestion/parameters``.
    fileprivate static let ofAnalytics: [String: Self] = {
        let all = [
            app, from, to, query("timezone", "Whose days they are, such as Europe/Berlin; UTC if it is missing."),
            list(
                "topic",
                "What is counted: click (if missing), open, install, reinstall, web_session, pageview, commerce_event, content_event, "
                    + "user_lifecycle_event, custom_event, dismissal or sms_sent."),
            list(
                "by",
                "What to group by: platform, country, channel, campaign, feature, link, name, stage, tags, os, browser, language, referrer, "
                    + "hour_of_day or attributed."),
            list("filter", "Such as channel=mail,sms, or !channel=mail for all others."),
            query("aggregation", in: ["total_count", "unique_count", "revenue"]),
            query("granularity", in: ["hour", "day", "week", "month", "all"]),
            query("ordered", in: ["ascending", "descending"]), query("ordered_by", "One of by, rather than the figure."),
            flag("zero_fill", "Whether periods and values without anything are listed, too."),
            number("limit", "Rows of each period."), number("after", "How many rows to leave out before: the next page."),
            query("event", "The event of the funnel's last step; PURCHASE if it is missing."),
            number("days", "How many days after the install are looked at."),
        ]
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }()
}
