import Hummingbird
import Linden
import Pages

/// Answers visits to addresses without a link: the root of a host, and what was mistyped or deleted.
struct AbsentLinkPages {
    let services: Services

    /// A redirect to the domain's own page, else a page of Linden's. Images and scripts that browsers ask for by themselves, such as
    /// `/favicon.ico`, are not redirected.
    func answer(to request: Request) async throws -> Answer {
        let domain = try await services.domains.domain(request.host)
        let isRoot = request.rawPath == "/" && (request.rawQuery ?? "").isEmpty
        if isRoot, let url = domain?.pages.rootURL { return .found(url) }
        if isRoot, domain == nil { return .html(.welcome(in: request.pageLanguage)) }
        if request.isNavigation, let url = domain?.pages.notFoundURL { return .found(url) }
        let brand = try await brand(of: domain)
        return .html(.notFound(brand, in: request.pageLanguage), status: .notFound)
    }

    private func brand(of domain: Domain?) async throws -> AppBrand? {
        guard let domain else { return nil }
        return try await services.directory.app(scope: domain.scope).map { AppBrand($0.app) }
    }
}
