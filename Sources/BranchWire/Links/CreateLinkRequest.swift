import Linden
import LindenKernel

/// A request of `POST /v1/url`, and each item of `POST /v1/url/bulk/<branch_key>`
/// (https://github.com/BranchMetrics/branch-deep-linking-public-api; fields of the SDKs from their sources).
package struct CreateLinkRequest: Sendable {
    package let body: RequestFields
    private let isManaged: Bool

    /// - Parameter isManaged: whether the call is an operator's, who may put the link into a `folder`.
    package init(_ body: RequestFields, isManaged: Bool = false) {
        self.body = body
        self.isManaged = isManaged
    }

    /// Returns the link to create. Fails with `invalid` and the name of the field.
    package func newLink(_ ids: PublicIDs) throws -> NewLink {
        // An identity that opted out of tracking creates links without an owner.
        let isTracked = !body.isTrackingDisabled
        var link = NewLink(
            alias: try body.strictText("alias"),
            kind: try kind(),
            duration: try body.integer("duration"),
            labels: try body.labels(),
            folder: isManaged ? try body.strictText("folder") : nil,
            data: try body.linkData() ?? [:],
            identity: isTracked ? try body.strictText("identity") : nil,
            owner: isTracked ? body.text("identity_id", "randomized_bundle_token").flatMap { ids.id(for: $0) } : nil,
            source: source,
            domain: try body.strictText("domain"),
            ignoredUserAgent: body.text("ignore_ua_string").map { Visit.shortened(userAgent: $0) },
            limits: LinkLimits(
                expiresAt: try body.time("expires_at").value, expiredURL: try body.strictText("expired_url"),
                maxClicks: try body.integer("max_clicks")),
            requestKey: body.requestKey(for: "v1/url"))
        link.device = body.tokens(ids).device
        try addAnalytics(to: &link)
        return link
    }

    /// Returns the response: the link's URL and, for links that iOS adds to Spotlight, the identifier of the search item. Branch's clients
    /// ignore further members, so warnings can be added.
    package func response(url: String, warnings: [String]) -> JSON {
        var members = CreateLinkRequest.response(url: url, warnings: warnings)
        if body.text("channel") == "spotlight", source == .ios {
            members["spotlight_identifier"] = .string(IOSQuirks.spotlightIdentifier(of: url))
        }
        return .object(members)
    }

    static func response(url: String, warnings: [String]) -> JSONObject {
        var members: JSONObject = ["url": .string(url)]
        if !warnings.isEmpty { members["warnings"] = JSON(warnings) }
        return members
    }

    private func kind() throws -> Link.Kind {
        guard let number = try body.integer("type") else { return .standard }
        guard let kind = Link.Kind(rawValue: number) else {
            throw Failure.invalid("type must be 0 (standard), 1 (one-time use) or 2 (marketing).")
        }
        return kind
    }

    /// The creating client. SDKs name themselves in `source` or `sdk`; old API examples send `sdk: "api"`.
    private var source: Link.CreationSource {
        let name = (body.text("source") ?? body.text("sdk") ?? "api").prefix(bytes: 16).lowercased()
        if name.hasPrefix("ios") { return .ios }
        if name.hasPrefix("android") { return .android }
        if name.hasPrefix("web") { return .web }
        return name == "api" ? .api : .sdk
    }

    /// Adds the labels of `analytics`, an object of `~` keys. The five known names are labels, all others become link data.
    private func addAnalytics(to link: inout NewLink) throws {
        guard let analytics = body["analytics"], !analytics.isNull else { return }
        guard let members = analytics.object else {
            throw Failure.invalid("analytics must be an object, not \(analytics.kind).")
        }
        let tilde = UInt8(ascii: "~")
        let plain = members.map { key, value in
            (key: key.utf8.first == tilde ? String(Substring(key.utf8.dropFirst())) : key, value: value)
        }
        let labels = try RequestFields(JSONObject(plain)).labels()
        link.labels.channel = link.labels.channel ?? labels.channel
        link.labels.feature = link.labels.feature ?? labels.feature
        link.labels.campaign = link.labels.campaign ?? labels.campaign
        link.labels.stage = link.labels.stage ?? labels.stage
        if link.labels.tags.isEmpty { link.labels.tags = labels.tags }
        for (key, value) in JSONObject(plain).without(["channel", "feature", "campaign", "stage", "tags"]) {
            link.data["~" + key] = value
        }
    }
}

extension RequestFields {
    package func labels() throws -> Labels {
        Labels(
            channel: try strictText("channel"), feature: try strictText("feature"), campaign: try strictText("campaign"),
            stage: try strictText("stage"), tags: try tags() ?? [])
    }

    /// Returns the tags: an array of strings, or one string as a single tag. Nil if absent.
    func tags() throws -> [String]? {
        guard let value = members["tags"], !value.isNull else { return nil }
        return try texts("tags")
    }

    /// Returns the non-empty texts of an array, or one text as a single one; as many as a link may have tags.
    func texts(_ name: String) throws -> [String] {
        guard let value = members[name], !value.isNull else { return [] }
        // Here and not with the link, since lists of tags are compared with each other before.
        guard value.array?.count ?? 1 <= LinkSizeLimits.tags else {
            throw Failure(.tooLarge, "\(name) may have at most \(LinkSizeLimits.tags) values, not \(value.array?.count ?? 1).")
        }
        let texts = (value.array ?? [value]).map(\.scalarText)
        guard value.object == nil, !texts.contains(nil) else { throw Failure.invalid("\(name) must be an array of strings.") }
        return texts.compactMap { $0 }.filter { !$0.isEmpty }
    }

    /// Returns the link's data: an object, or a string that holds one as JSON. Nil if absent.
    package func linkData() throws -> JSONObject? {
        guard let value = members["data"], !value.isNull else { return nil }
        if let object = value.object { return object }
        guard let text = value.string else {
            throw Failure.invalid("data must be an object or a string that holds one as JSON, not \(value.kind).")
        }
        if text.isEmpty { return [:] }
        guard let object = value.openedObject else {
            throw Failure.invalid("data must be an object or a string that holds one as JSON.")
        }
        return object
    }
}
