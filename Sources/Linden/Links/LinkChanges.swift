/// The changes of an update; a nil value leaves the stored one.
package struct LinkChanges: Sendable {
    package var channel: String?
    package var feature: String?
    package var campaign: String?
    package var stage: String?
    package var tags: [String]?
    package var duration: Int64?
    /// The limits to change: a value, or nil to remove the limit.
    package var expiresAt: Timestamp??
    package var expiredURL: String??
    package var maxClicks: Int64??
    /// Merged key by key into the stored data.
    package var data: JSONObject

    package init(
        channel: String? = nil, feature: String? = nil, campaign: String? = nil, stage: String? = nil, tags: [String]? = nil,
        duration: Int64? = nil, expiresAt: Timestamp?? = nil, expiredURL: String?? = nil, maxClicks: Int64?? = nil,
        data: JSONObject = [:]
    ) {
        self.expiresAt = expiresAt
        self.expiredURL = expiredURL
        self.maxClicks = maxClicks
        self.channel = channel
        self.feature = feature
        self.campaign = campaign
        self.stage = stage
        self.tags = tags
        self.duration = duration
        self.data = data
    }

    /// Returns the description of the link's content that the app itself asserts: only what it changes, because another client may have
    /// created the link. Nil if the changes describe no content.
    func description(ofContentOf link: Link) -> ObjectDescription? {
        guard data.keys.contains(where: UniversalObject.keys.contains) else { return nil }
        var said = link.data.filter { key, _ in UniversalObject.namingKeys.contains(key) }
        said.merge(data)
        return ObjectDescription(linkData: said)
    }

    func apply(to link: Link, _ sizes: LinkSizeLimits) throws -> Link {
        var changed = link
        changed.labels.channel = channel ?? link.labels.channel
        changed.labels.feature = feature ?? link.labels.feature
        changed.labels.campaign = campaign ?? link.labels.campaign
        changed.labels.stage = stage ?? link.labels.stage
        changed.labels.tags = tags ?? link.labels.tags
        changed.duration = duration ?? link.duration
        if let expiresAt { changed.limits.expiresAt = expiresAt }
        if let expiredURL { changed.limits.expiredURL = expiredURL }
        if let maxClicks { changed.limits.maxClicks = maxClicks }
        try changed.limits.check()
        changed.data.merge(data)
        try changed.labels.check()
        try sizes.check(changed.data, changed.labels)
        if let duration, duration < 0 { throw Failure.invalid("duration must be a number of seconds, 0 or more.") }
        return changed
    }
}
