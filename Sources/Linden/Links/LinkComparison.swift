import LindenKernel
import LinkRouting

/// Compares the existing links that the calls of one transaction met with those to be created, after the transaction. The data of each is
/// parsed once.
struct LinkComparison {
    private let isBulk: Bool
    private var data: [Link.ID: JSONObject] = [:]

    init(isBulk: Bool) {
        self.isBulk = isBulk
    }

    /// Returns the result of a call: `conflict` if it found its alias at a link that differs.
    mutating func result(
        of creation: LinkCreation, for new: NewLink, in scope: Scope, _ baseURL: BaseURL
    ) throws -> Result<Link, Failure> {
        switch creation {
        case .done(let link): return .success(link)
        case .existing(let stored, let relation):
            let link = stored.link(with: try data(of: stored))
            if case .sameAlias(let isSameOwner) = relation {
                do {
                    try link.confirm(equalTo: new, isSameOwner: isSameOwner, in: scope, baseURL, isBulk: isBulk)
                } catch let failure as Failure {
                    return .failure(failure)
                }
            }
            return .success(isBulk ? stored.link(with: new.data) : link)
        }
    }

    private mutating func data(of stored: StoredLink) throws -> JSONObject {
        if let known = data[stored.link.id] { return known }
        let parsed = try stored.parsedData()
        data[stored.link.id] = parsed
        return parsed
    }
}

extension Link {
    /// Throws `conflict` unless this link, which has the alias already, equals the link to be created. In bulk the error has no
    /// differences, since the answer does not show them.
    func confirm(
        equalTo new: NewLink, isSameOwner: Bool, in scope: Scope, _ baseURL: BaseURL, isBulk: Bool
    ) throws {
        guard self.scope == scope else {
            // No other field is disclosed: a branch key is public.
            throw aliasTaken(baseURL, differences: ["app": ["stored": "another app", "sent": "this app"]])
        }
        if let deletedAt {
            throw aliasTaken(baseURL, differences: ["deleted_at": ["stored": .string(deletedAt.iso8601), "sent": .null]])
        }
        let limit = isBulk ? 1 : LinkDifferences.mostShown
        let differences = LinkDifferences.between(self, new, isSameOwner: isSameOwner, atMost: limit)
        guard differences.isEmpty else { throw aliasTaken(baseURL, differences: isBulk ? [:] : differences) }
    }
}
