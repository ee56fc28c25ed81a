import Linden
import LindenKernel

/// A link of an import.
package enum ImportedLink: Sendable {
    /// Nil in a dry run.
    case created(Link?)
    /// The link exists already, with the same content.
    case unchanged(Link)
}

extension LinkService {
    /// Creates the links that do not exist yet, each on its own. A link with an alias that exists with the same content is left as it is;
    /// one with other content is a `conflict`. A link without an alias is always created.
    ///
    /// - Parameters:
    ///   - items: each with another alias; all are read in one transaction, so at most a hundred.
    ///   - isDryRun: whether to check only. What a later call makes of it may differ, if links are created meanwhile.
    package func importing(
        _ items: [Result<NewLink, Failure>], for app: AppContext, isDryRun: Bool
    ) async throws -> [Result<ImportedLink, Failure>] {
        let known = try await existing(items, for: app)
        let absent = known.indices.filter { if case .success(nil) = known[$0] { true } else { false } }
        let created = isDryRun || absent.isEmpty ? [] : try await create(absent.map { items[$0] }, for: app)
        var outcomes = known.map { $0.map { link in link.map(ImportedLink.unchanged) ?? .created(nil) } }
        for (index, result) in zip(absent, created) { outcomes[index] = result.map { .created($0) } }
        return outcomes
    }
}
