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
    ///   - mayTell: whether the caller may read links. For others every alias that exists is a `conflict` without the differences, so that
    ///     they cannot try what the content of its link is.
    package func importing(
        _ items: [Result<NewLink, Failure>], for app: AppContext, isDryRun: Bool, telling mayTell: Bool
    ) async throws -> [Result<ImportedLink, Failure>] {
        let found = try await existing(items, for: app)
        let known = mayTell ? found : found.map { $0.withoutContent(baseURL) }
        let absent = known.indices.filter { if case .success(nil) = known[$0] { true } else { false } }
        let created =
            isDryRun || absent.isEmpty
            ? [] : try await create(absent.map { items[$0] }, for: app) { Admission.current?.charge(bytes: $0) }
        var outcomes = known.map { $0.map { link in link.map(ImportedLink.unchanged) ?? .created(nil) } }
        for (index, result) in zip(absent, created) { outcomes[index] = result.map { .created($0) } }
        return outcomes
    }
}

extension Result<Link?, Failure> {
    /// The result for callers who may not read the link.
    fileprivate func withoutContent(_ baseURL: BaseURL) -> Self {
        switch self {
        case .success(let link?): .failure(link.aliasTaken(baseURL).withoutDetails)
        case .success(nil): self
        case .failure(let failure): .failure(failure.withoutDetails)
        }
    }
}
