/// Explains why sessions were attributed to their links, or to none.
package struct ExplanationService: Sendable {
    private let storage: any Storage
    private let baseURL: BaseURL
    private let publicIDs: PublicIDs

    package init(storage: any Storage, baseURL: BaseURL, publicIDs: PublicIDs) {
        self.storage = storage
        self.baseURL = baseURL
        self.publicIDs = publicIDs
    }

    /// Returns the session with a public id. Throws `notFound`.
    package func session(_ text: String) async throws -> Session {
        guard let id: Session.ID = publicIDs.id(for: text), let session = try await storage.read({ try $0.session(id) }) else {
            throw Failure.notFound("There is no session \(text).")
        }
        return session
    }

    /// Returns the newest sessions of a scope, newest first, before a given session if one is named.
    package func sessions(of scope: Scope, before: Session.ID?, limit: Int) async throws -> [Session] {
        try await storage.read { try $0.sessions(of: scope, before: before, limit: limit) }
    }

    /// Returns the session with its explanation: what was decided and why.
    package func explanation(of session: Session) async throws -> JSONObject {
        var members = summary(of: session)
        // A session whose link asks not to be attributed has a click but no link.
        let (link, candidates) = try await storage.read { reader in
            (
                try (session.link ?? session.click.flatMap(reader.click)?.link).flatMap(reader.link),
                try reader.naming(linksOf: session.explanation.object?["candidates"]?.array ?? [], baseURL)
            )
        }
        if let link { members["link"] = .string(baseURL.url(of: link)) }
        members["attributed"] = .bool(session.isAttributed)
        members["match_guaranteed"] = session.data["+match_guaranteed"] ?? .null
        for (name, value) in session.explanation.object ?? [:] { members[name] = value }
        members["candidates"] = .array(candidates)
        if let wrong = session.estimatedWrongPerThousand { members["estimated_wrong_per_thousand"] = JSON(wrong) }
        return members
    }

    /// Returns the summary of a session.
    package func summary(of session: Session) -> JSONObject {
        [
            "session_id": .string(publicIDs.string(for: session.id)), "kind": .string(session.kind.name),
            "started_at": .string(session.id.time.iso8601), "app_id": .string(String(session.scope.app.rawValue)),
            "mode": .string(session.scope.mode.name), "outcome": session.explanation.object?["outcome"] ?? .null,
            "matcher": session.explanation.object?["matcher"] ?? .null,
            "click_id": JSON(session.click.map { publicIDs.string(for: $0) }),
        ]
    }
}

extension Reader {
    /// Adds the URLs of their links to candidates.
    fileprivate func naming(linksOf candidates: [JSON], _ baseURL: BaseURL) throws -> [JSON] {
        try candidates.map { candidate in
            guard var members = candidate.object, let id = members["link_id"]?.string.flatMap(Int64.init),
                let link = try link(Link.ID(rawValue: id))
            else { return candidate }
            members["link"] = .string(baseURL.url(of: link))
            return .object(members)
        }
    }
}

extension Session {
    /// The estimated number of wrong matches per thousand probabilistic matches with this score. Nil for other sessions, including launches
    /// by devices that had the app before, which the estimate does not cover.
    fileprivate var estimatedWrongPerThousand: Int? {
        guard kind.isInstall || kind == .reinstall, let members = explanation.object,
            members["matcher"]?.string == FingerprintMatch.name,
            let version = members["rule_version"]?.int64.flatMap(Int.init(exactly:)),
            let winner = members["candidates"]?.array?.compactMap(\.object).first(where: { $0["won"] == true }),
            let points = winner["points"]?.int64.flatMap(Int.init(exactly:))
        else { return nil }
        return MatchConfidence.wrongPerThousand(points: points, ruleVersion: version)
    }
}

extension Session.Kind {
    package var name: String {
        switch self {
        case .install: "install"
        case .open: "open"
        case .web: "web"
        case .userChange: "user_change"
        case .reinstall: "reinstall"
        case .fullAppConversion: "full_app_conversion"
        }
    }
}
