import LindenKernel
import LinkRouting

/// The differences of two links with the same alias.
enum LinkDifferences {
    /// The maximum number of differences that an error names: enough to tell two links apart.
    static let mostShown = 10

    /// Returns the first differing fields with their stored and sent values; a missing value is null. The owner of the stored link is not
    /// disclosed: a branch key is public, and user ids are private.
    ///
    /// - Parameter limit: the number of differences after which the comparison stops.
    static func between(_ stored: Link, _ sent: NewLink, isSameOwner: Bool, atMost limit: Int) -> JSONObject {
        var differences = JSONObject()
        func compare(_ name: String, _ storedValue: JSON?, _ sentValue: JSON?) {
            guard differences.count < limit, storedValue != sentValue else { return }
            differences[name] = ["stored": storedValue ?? .null, "sent": sentValue ?? .null]
        }
        let (storedLabels, sentLabels) = (stored.labels.members, sent.labels.members)
        for name in ["channel", "feature", "campaign", "stage", "tags"] { compare(name, storedLabels[name], sentLabels[name]) }
        // Operators move links between folders; a call without one does not mean that the link should have none.
        if let folder = sent.folder { compare("folder", JSON(stored.folder), .string(folder)) }
        compare("type", .integer(stored.kind.rawValue), .integer(sent.kind.rawValue))
        compare("duration", stored.duration.map(JSON.integer), sent.duration.map(JSON.integer))
        let (storedLimits, sentLimits) = (stored.limits.members, sent.limits.members)
        for name in ["expires_at", "expired_url", "max_clicks"] { compare(name, storedLimits[name], sentLimits[name]) }
        if !isSameOwner, differences.count < limit {
            differences["identity"] = ["stored": stored.owner == nil ? .null : "another identity", "sent": JSON(sent.identity)]
        }
        for (key, value) in stored.data {
            guard differences.count < limit else { return differences }
            compare("data." + key, value, sent.data[key])
        }
        for (key, value) in sent.data where stored.data[key] == nil {
            guard differences.count < limit else { return differences }
            compare("data." + key, nil, value)
        }
        return differences
    }
}
