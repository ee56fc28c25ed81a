import Foundation
import Linden
import LindenKernel
import LinkRouting

/// A request of `GET /v1/deepview`: the script for the button of a deepview page. The response is a function that navigates to a link with
/// the page's data.
package struct DeepviewRequest: Sendable {
    private let body: RequestFields

    package init(_ body: RequestFields) {
        self.body = body
    }

    /// Returns the link through which the visitor came to the page, to be checked by the caller: the address of a click or short link by
    /// the last part of the path that the SDK sends. Nil if the visitor came by none, or if the page wants a new link.
    package func referringLink(app: AppContext, baseURL: BaseURL) -> String? {
        guard let text = body.text("link_click_id") else { return nil }
        let name = String(decoding: text.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
        guard !name.isEmpty, name.utf8.count <= LinkSizeLimits.addressBytes else { return nil }
        return baseURL.url(of: LinkAddress(host: app.domain ?? "", path: "c/" + name))
    }

    /// Returns a JavaScript function, because the SDK calls the response; an object would fail.
    ///
    /// Fails with `tooLarge` or `invalid` for labels or data beyond the limits of a link.
    ///
    /// - Parameter referringLink: the link that led to the page: the button continues it, so that the link keeps the credit. Nil for a new
    ///   link with the page's data.
    package func script(
        app: AppContext, continuing referringLink: String?, baseURL: BaseURL, sizes: LinkSizeLimits
    ) throws -> String {
        let target = try referringLink.map(continued) ?? newLink(app: app, baseURL: baseURL, sizes)
        return "function(){window.location.assign(\(JSON.string(target).text));}"
    }

    /// Returns the referring link, with the page's own path in the app if the page wants it.
    private func continued(_ referringLink: String) throws -> String {
        guard body.flag("append_deeplink_path"), let data = try body.linkData() else { return referringLink }
        let paths = ["$deeplink_path", "$ios_deeplink_path", "$android_deeplink_path", "$desktop_deeplink_path"]
        let items = paths.compactMap { key in data[key]?.scalarText.map { QueryItem(name: key, value: $0) } }
        return URLParts.appending(items.filter { $0.value.utf8.count <= LinkSizeLimits.addressBytes }, to: referringLink)
    }

    /// Returns a long link, so that nothing is stored for a button that may never be pressed.
    private func newLink(app: AppContext, baseURL: BaseURL, _ sizes: LinkSizeLimits) throws -> String {
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
