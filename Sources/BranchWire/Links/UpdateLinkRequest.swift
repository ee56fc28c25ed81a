import Linden
import LindenKernel

/// A request that changes a link, `PUT /v1/url?url=<link>` or a call of the management API: labels replace, `data` is merged key by key.
/// Fields that cannot be updated (alias, identity, type and the like) are ignored, because clients send back whole links.
package struct UpdateLinkRequest: Sendable {
    private let body: RequestFields
    private let isManaged: Bool

    /// - Parameter isManaged: whether the call is one of the management API. There a label that is null or empty is cleared, `add_tags` and
    ///   `remove_tags` change single tags, `folder` moves the link, and `archived` takes it out of lists or back. Branch's call keeps such
    ///   a label: clients send back whole links, some with null for unset labels.
    package init(_ body: RequestFields, isManaged: Bool = false) {
        self.body = body
        self.isManaged = isManaged
    }

    /// - Parameter url: the link's own URL, see ``changes(_:of:)``.
    package func changes(url: String) throws -> LinkChanges { Self.changes(try changes(), of: url) }

    /// Returns changes without the link's own URL, which a read returns as `url` in the data, and a client sends back.
    package static func changes(_ changes: LinkChanges, of url: String) -> LinkChanges {
        var changes = changes
        if changes.data["url"]?.string == url { changes.data["url"] = nil }
        return changes
    }

    /// The changes of any link.
    package func changes() throws -> LinkChanges {
        // Removed by name, which compares bytes: strings are compared in a normal form, which is slow for keys with combining marks.
        LinkChanges(
            channel: try label("channel"), feature: try label("feature"), campaign: try label("campaign"),
            stage: try label("stage"), tags: try tags(),
            addedTags: try isManaged ? body.texts("add_tags") : [], removedTags: try isManaged ? body.texts("remove_tags") : [],
            folder: isManaged ? try label("folder") : .keep, isArchived: isManaged ? try body.strictFlag("archived") : nil,
            duration: try body.integer("duration"),
            expiresAt: try body.time("expires_at"),
            expiredURL: body["expired_url"] == nil ? .keep : FieldUpdate(try body.strictText("expired_url")),
            maxClicks: body["max_clicks"] == nil ? .keep : FieldUpdate(try body.integer("max_clicks")),
            data: (try body.linkData() ?? [:]).without(LinkResponse.addedKeys))
    }

    private func label(_ name: String) throws -> FieldUpdate<String> {
        let text = try body.strictText(name)
        return text == nil && isManaged && body[name] != nil ? .clear : FieldUpdate(orKeep: text)
    }

    private func tags() throws -> [String]? {
        try body.tags() ?? (isManaged && body["tags"] != nil ? [] : nil)
    }
}
