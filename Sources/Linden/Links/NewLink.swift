import LindenKernel
import LinkRouting

/// A link to be created, in domain terms.
package struct NewLink: Sendable {
    package var alias: String?
    package var kind: Link.Kind
    package var duration: Int64?
    package var labels: Labels
    /// See ``Link/folder``.
    package var folder: String?
    /// See ``Link/isArchived``. Set by an import only.
    package var isArchived = false
    package var data: JSONObject
    /// The developer's user id of the owner.
    package var identity: String?
    /// The identity token of the owner, and the device, from an SDK.
    package var owner: Identity.ID?, device: Device.ID?
    package var source: Link.CreationSource
    /// See ``Link/isAuthenticated``.
    package var isAuthenticated: Bool
    /// One of the app's domains; nil for its first.
    package var domain: String?
    package var ignoredUserAgent: String?
    package var limits: LinkLimits
    package var requestKey: RequestKey?

    package init(
        alias: String? = nil, kind: Link.Kind = .standard, duration: Int64? = nil, labels: Labels = Labels(),
        folder: String? = nil, data: JSONObject = [:], identity: String? = nil, owner: Identity.ID? = nil,
        source: Link.CreationSource = .api,
        isAuthenticated: Bool = false, domain: String? = nil, ignoredUserAgent: String? = nil, limits: LinkLimits = LinkLimits(),
        requestKey: RequestKey? = nil
    ) {
        self.ignoredUserAgent = ignoredUserAgent
        self.limits = limits
        self.requestKey = requestKey
        self.alias = alias
        self.kind = kind
        self.duration = duration
        self.labels = labels
        self.folder = folder
        self.data = data
        self.identity = identity
        self.owner = owner
        self.source = source
        self.isAuthenticated = isAuthenticated
        self.domain = domain
    }

    func check(_ sizes: LinkSizeLimits) throws {
        try sizes.check(data, labels)
        if let alias { try Alias.check(alias) }
        try labels.check()
        try Labels.check(folder: folder)
        try limits.check()
        try Identity.check(developerIdentity: identity)
        if let duration, duration < 0 { throw Failure.invalid("duration must be a number of seconds, 0 or more.") }
    }
}

extension Labels {
    /// Checks the labels. Throws `invalid` for a label that is too long or contains a NUL character.
    package func check() throws {
        for (name, value) in [("channel", channel), ("feature", feature), ("campaign", campaign), ("stage", stage)] {
            try Labels.check(value, name: name, limit: LengthLimits.label)
        }
        do {
            for tag in tags { try Labels.check(tag, name: "each of tags", limit: LengthLimits.tag) }
        } catch let failure as Failure {
            throw failure.at("tags")
        }
    }

    /// Checks the name of a folder, which is as long as a label.
    static func check(folder: String?) throws { try check(folder, name: "folder", limit: LengthLimits.label) }

    private static func check(_ value: String?, name: String, limit: Int) throws {
        guard let value else { return }
        guard value.unicodeScalars.count <= limit else { throw Failure.invalid("\(name) may have at most \(limit) characters.") }
        guard !value.unicodeScalars.contains("\0") else { throw Failure.invalid("\(name) must not contain a NUL character.") }
    }
}

extension AppContext {
    /// Throws `invalid` if a link leads to a host outside the app's allowlist (Branch's response to such a redirect).
    func checkRedirects(_ parameters: ControlParameters, _ limits: LinkLimits) throws {
        try check(parameters.disallowedRedirectKeys(routing), expiredURL: limits.expiredURL)
    }

    /// As for a link with this data, for data that links may get.
    package func checkRedirects(of data: JSONObject) throws {
        try checkRedirects(ControlParameters(data: data, labels: Labels()), LinkLimits())
    }

    /// Checks only the URLs that are changed; stored ones stay valid.
    func checkRedirects(_ changes: LinkChanges) throws {
        let parameters = ControlParameters(data: changes.data, labels: Labels())
        try check(parameters.disallowedRedirectKeys(routing), expiredURL: changes.expiredURL.value)
    }

    private func check(_ keys: [String], expiredURL: String?) throws {
        var keys = keys
        if let expiredURL, !routing.allows(expiredURL) { keys.append("expired_url") }
        guard keys.isEmpty else {
            throw Failure(
                .invalid,
                "URL doesn't pass security test(s): \(keys.joined(separator: ", ")) must lead to a host on the app's redirect_allowlist.",
                at: keys)
        }
    }
}
