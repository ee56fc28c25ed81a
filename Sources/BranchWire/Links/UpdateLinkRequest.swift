import Linden
import LindenKernel

/// A request of `PUT /v1/url?url=<link>`: labels replace, `data` is merged key by key. Fields that cannot be updated (alias, identity, type
/// and the like) are ignored, because clients send back whole links.
package struct UpdateLinkRequest: Sendable {
    private let body: RequestFields

    package init(_ body: RequestFields) {
        self.body = body
    }

    /// - Parameter url: the link's own URL. A read returns it as `url` in the data, and a client sends it back.
    package func changes(url: String) throws -> LinkChanges {
        // Removed by name, which compares bytes: strings are compared in a normal form, which is slow for keys with combining marks.
        var data = (try body.linkData() ?? [:]).without(LinkResponse.addedKeys)
        if data["url"]?.string == url { data["url"] = nil }
        return LinkChanges(
            channel: try label("channel"), feature: try label("feature"), campaign: try label("campaign"),
            stage: try label("stage"), tags: try body.tags(),
            duration: try body.integer("duration"),
            expiresAt: try body.time("expires_at"),
            expiredURL: body["expired_url"] == nil ? .keep : FieldUpdate(try body.strictText("expired_url")),
            maxClicks: body["max_clicks"] == nil ? .keep : FieldUpdate(try body.integer("max_clicks")),
            data: data)
    }

    /// A label that is null or empty is kept: clients send back whole links.
    private func label(_ name: String) throws -> FieldUpdate<String> { FieldUpdate(orKeep: try body.strictText(name)) }
}
