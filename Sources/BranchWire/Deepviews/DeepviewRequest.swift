import Foundation
import Linden
import LinkRouting

/// A request of `GET /v1/deepview`: the script for the button of a deepview page. The response is a function that navigates to a link with
/// the page's data.
package struct DeepviewRequest: Sendable {
    private let body: RequestFields

    package init(_ body: RequestFields) {
        self.body = body
    }

    /// Returns a JavaScript function, because the SDK calls the response; an object would fail.
    ///
    /// Fails with `tooLarge` or `invalid` for labels or data beyond the limits of a link.
    package func script(app: AppContext, baseURL: BaseURL, sizes: LinkSizeLimits) throws -> String {
        let target = try url(app: app, baseURL: baseURL, sizes)
        return "function(){window.location.assign(\(JSON.string(target).text));}"
    }

    /// Returns a long link, so that nothing is stored for a button that may never be pressed.
    private func url(app: AppContext, baseURL: BaseURL, _ sizes: LinkSizeLimits) throws -> String {
        let labels = Labels(
            channel: body.text("channel"), feature: body.text("feature"), campaign: body.text("campaign"),
            stage: body.text("stage"), tags: try body.tags() ?? [])
        let data = try body.linkData() ?? [:]
        try sizes.check(data, labels)
        try labels.check()
        let named = [
            ("channel", labels.channel), ("feature", labels.feature), ("campaign", labels.campaign), ("stage", labels.stage),
        ]
        var items = named.compactMap { name, value in value.map { QueryItem(name: name, value: $0) } }
        items += labels.tags.map { QueryItem(name: "tags", value: $0) }
        if !data.isEmpty {
            items.append(QueryItem(name: "data", value: Data(JSON.object(data).bytes).base64EncodedString()))
        }
        return URLParts.appending(items, to: baseURL.longLinkBase(of: app))
    }
}
