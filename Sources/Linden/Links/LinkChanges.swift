import LindenKernel

/// The changes of an update; a nil value leaves the stored one.
package struct LinkChanges: Sendable {
    package var channel: FieldUpdate<String>
    package var feature: FieldUpdate<String>
    package var campaign: FieldUpdate<String>
    package var stage: FieldUpdate<String>
    package var tags: [String]?
    /// Tags that are added behind the others, and tags that are removed.
    package var addedTags: [String]
    package var removedTags: [String]
    package var folder: FieldUpdate<String>
    package var isArchived: Bool?
    package var duration: Int64?
    package var expiresAt: FieldUpdate<Timestamp>
    package var expiredURL: FieldUpdate<String>
    package var maxClicks: FieldUpdate<Int64>
    /// Merged key by key into the stored data.
    package var data: JSONObject

    package init(
        channel: FieldUpdate<String> = .keep, feature: FieldUpdate<String> = .keep, campaign: FieldUpdate<String> = .keep,
        stage: FieldUpdate<String> = .keep, tags: [String]? = nil,
        addedTags: [String] = [], removedTags: [String] = [], folder: FieldUpdate<String> = .keep, isArchived: Bool? = nil,
        duration: Int64? = nil,
        expiresAt: FieldUpdate<Timestamp> = .keep, expiredURL: FieldUpdate<String> = .keep,
        maxClicks: FieldUpdate<Int64> = .keep, data: JSONObject = [:]
    ) {
        self.expiresAt = expiresAt
        self.expiredURL = expiredURL
        self.maxClicks = maxClicks
        self.channel = channel
        self.feature = feature
        self.campaign = campaign
        self.stage = stage
        self.tags = tags
        self.addedTags = addedTags
        self.removedTags = removedTags
        self.folder = folder
        self.isArchived = isArchived
        self.duration = duration
        self.data = data
    }

    /// Returns the description of the link's content that the app itself asserts: only what it changes, because another client may have
    /// created the link. Nil if the changes describe no content.
    func description(ofContentOf link: Link) -> ObjectDescription? {
        guard UniversalObject.keys.contains(where: { data[$0] != nil }) else { return nil }
        var said = link.data.only(UniversalObject.namingKeys)
        said.merge(data)
        return ObjectDescription(linkData: said)
    }

    private func changedTags(of link: Link) -> [String] {
        let removed = Set(removedTags.map(BytewiseText.init))
        let kept = (tags ?? link.labels.tags).filter { !removed.contains(BytewiseText($0)) }
        let known = Set(kept.map(BytewiseText.init))
        return kept + addedTags.filter { !known.contains(BytewiseText($0)) }
    }

    /// Returns the link with the changes. The caller checks the size of the resulting data.
    package func apply(to link: Link) throws -> Link {
        var changed = link
        channel.apply(to: &changed.labels.channel)
        feature.apply(to: &changed.labels.feature)
        campaign.apply(to: &changed.labels.campaign)
        stage.apply(to: &changed.labels.stage)
        changed.labels.tags = changedTags(of: link)
        folder.apply(to: &changed.folder)
        changed.isArchived = isArchived ?? link.isArchived
        changed.duration = duration ?? link.duration
        expiresAt.apply(to: &changed.limits.expiresAt)
        expiredURL.apply(to: &changed.limits.expiredURL)
        maxClicks.apply(to: &changed.limits.maxClicks)
        try changed.limits.check()
        changed.data.merge(data)
        try changed.labels.check()
        try Labels.check(folder: changed.folder)
        if let duration, duration < 0 { throw Failure.invalid("duration must be a number of seconds, 0 or more.") }
        return changed
    }
}
