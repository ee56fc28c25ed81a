import Hummingbird
import Linden
import LindenServices
import Pages

/// The responses to visits of addresses without a link: the root of a host, mistyped and deleted links.
struct AbsentLinkPages {
    let directory: AppDirectory
    let domains: DomainService

    /// Returns a redirect to the domain's page for the root or for missing links, else a page of Linden's. Requests for missing links that
    /// are not navigations, such as those for images and scripts, are not redirected.
    func answer(to request: Request) async throws -> BufferedResponse {
        let domain = try await domains.domain(request.host)
        let isRoot = request.rawPath == "/" && (request.rawQuery ?? "").isEmpty
        if isRoot, let url = domain?.pages.rootURL { return .found(url) }
        if isRoot, domain == nil { return .html(.welcome(in: request.pageLanguage)) }
        if request.isNavigation, let url = domain?.pages.notFoundURL { return .found(url) }
        let brand = try await brand(of: domain)
        return .html(.notFound(brand, in: request.pageLanguage), status: .notFound)
    }

    private func brand(of domain: Domain?) async throws -> AppBrand? {
        guard let domain else { return nil }
        return try await directory.app(scope: domain.scope).map { AppBrand($0.app) }
    }
}
