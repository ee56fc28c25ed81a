import Hummingbird
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LinkRouting
import Pages

/// Pages that describe a link to its operators, in place of its destination. No click is recorded.
struct InspectionPages {
    let links: LinkService
    let clicks: ClickService
    let tokens: TokenService
    let baseURL: BaseURL

    /// Returns the page that a request asks for; nil for a plain visit. Pages are the description of the link (`debug=1` with an access
    /// token) and the Universal Links test of the iOS SDK (`bnc_validate=true`).
    func page(for request: Request) async throws -> Page? {
        guard request.mayInspect else { return nil }
        let wantsDebug = ["1", "true"].contains(request.queryValue("debug")) && request.accessToken != nil
        // The iOS SDK appends a slash to the value.
        let wantsTest = ["true", "true/"].contains(request.queryValue("bnc_validate"))
        guard wantsDebug || wantsTest else { return nil }
        if wantsDebug { _ = try await tokens.authorize(request.accessToken, to: .readLinks) }
        guard
            let inspection = try await clicks.inspect(
                host: request.host, path: request.rawPath, query: Visit.shortened(query: request.rawQuery ?? ""))
        else { return nil }
        guard wantsDebug else { return test(inspection, isWebOnly: request.rawPath.hasPrefix("/e/")) }
        _ = try await tokens.authorize(request.accessToken, to: .readLinks, app: inspection.app.app.id)
        return debug(inspection)
    }

    /// The link's properties, and its destinations for example visitors.
    private func debug(_ inspection: LinkInspection) -> Page {
        let link = inspection.link
        let labels = link.labels.members.map { (name: $0.key, value: $0.value.scalarText ?? $0.value.text) }
        let limits = link.limits.members.map { (name: $0.key, value: $0.value.scalarText ?? "") }
        let data = link.data.map { (name: $0.key, value: $0.value.scalarText ?? $0.value.text) }
        let destinations = ["iphone", "ipad", "android", "desktop", "facebook"].compactMap { name in
            ExampleVisitor.all.first { $0.name == name }.map { example in
                (name: name, value: inspection.destination(for: example.visitor).summary)
            }
        }
        return .inspection(
            title: links.url(of: link), text: inspection.app.app.name + ", " + link.scope.mode.name,
            [
                Facts("Where it leads", destinations), Facts("Labels", labels), Facts("Limits", limits), Facts("Data", data),
                Facts("Link", [("id", String(link.id.rawValue)), ("created", link.createdAt.iso8601)]),
            ])
    }

    /// The result of the Universal Links test. An app opens the web-only form of a link that has `bnc_validate`, so a visitor of that form
    /// came through the app; a visitor of the link itself did not.
    private func test(_ inspection: LinkInspection, isWebOnly: Bool) -> Page {
        if isWebOnly {
            return .inspection(title: "Universal Links work", text: "The link opened the app, and the app opened this page.", [])
        }
        let configuration = inspection.app.app.configuration
        func setting(_ name: String) -> (name: String, value: String) { (name, configuration[name] ?? "missing") }
        return .inspection(
            title: "The app did not open",
            text: "Open this link by tapping it on an iPhone that has the app, in Notes or Messages. If this page appears again, "
                + "compare the app's settings with its entitlements, and reinstall the app: iOS fetches the association file "
                + "when it installs an app.",
            [
                Facts(
                    "Settings",
                    [
                        setting("ios_team_id"), setting("ios_bundle_id"), setting("ios_uri_scheme"),
                        ("associated domain", "applinks:" + (inspection.app.domain ?? baseURL.host)),
                    ])
            ])
    }
}

extension Destination {
    /// The action, target and reason in one line.
    fileprivate var summary: String {
        let app = action.appLink.map { "\($0.scheme)://\($0.path)" }
        let target = action.target?.address
        return ([Click.Action(action).rawValue] + [app, target].compactMap { $0 }).joined(separator: " → ")
            + " (\(reason.rawValue))"
    }
}

extension Request {
    /// Whether a visit may ask for an inspection page, by its query.
    fileprivate var mayInspect: Bool {
        rawQuery.map { $0.hasBytes(of: "debug") || $0.hasBytes(of: "validate") } ?? false
    }

    /// Whether a visit takes turns with calls at the database: no cache answers inspections and the addresses of clicks, and browsers send no
    /// HEAD.
    var takesTurns: Bool { mayInspect || method == .head || LinkPath.clickText(rawPath) != nil }
}
