import Linden
import LindenKernel

/// A change of several links.
package enum LinkBulkChange: Sendable {
    case update(@Sendable (Link) throws -> LinkChanges)
    case delete

    /// The most links of one change.
    package static let mostLinks = 200
}

/// What became of one link of a bulk change.
package struct LinkBulkOutcome: Sendable {
    /// The id as it was given.
    package let id: String
    /// The link before the change, without its data, of which two hundred may have tens of MB; nil if there is none.
    package let link: Link?
    package let isDeletion: Bool
    /// Why it was neither changed nor deleted.
    package let failure: Failure?
}

extension LinkService {
    /// Changes or deletes links of one scope, each on its own and in a transaction of its own. Returns the outcomes in the order of the ids.
    /// Fails with `invalid` for no links, more than ``LinkBulkChange/mostLinks``, or an id that is given twice.
    package func change(_ ids: [String], in scope: Scope, _ change: LinkBulkChange) async throws -> [LinkBulkOutcome] {
        guard (1...LinkBulkChange.mostLinks).contains(ids.count) else {
            throw Failure.invalid("links must be 1 to \(LinkBulkChange.mostLinks) links, not \(ids.count).")
        }
        guard Set(ids).count == ids.count else { throw Failure.invalid("links has an id more than once.") }
        var outcomes: [LinkBulkOutcome] = []
        for id in ids { outcomes.append(try await self.change(id, in: scope, change)) }
        return outcomes
    }

    private func change(_ text: String, in scope: Scope, _ change: LinkBulkChange) async throws -> LinkBulkOutcome {
        let isDeletion = if case .delete = change { true } else { false }
        var found: Link?
        do {
            guard let id = Int64(text), let link = try await link(Link.ID(rawValue: id)), link.scope == scope else {
                throw Failure.notFound("There is no link \(text).")
            }
            found = link
            found?.data = [:]
            switch change {
            case .update(let changes): _ = try await update(link.id, with: try changes(link))
            case .delete: try await delete(link.id)
            }
            return LinkBulkOutcome(id: text, link: found, isDeletion: isDeletion, failure: nil)
        } catch let failure as Failure {
            return LinkBulkOutcome(id: text, link: found, isDeletion: isDeletion, failure: failure)
        }
    }
}
