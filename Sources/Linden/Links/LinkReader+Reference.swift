import LindenKernel
import LinkRouting

extension LinkReader where Self: DomainReader {
    /// Returns the link that an operator names by URL, slug, alias or id, see ``LinkService/find(_:in:)``.
    func link(named reference: String, in app: App.ID?, _ baseURL: BaseURL) throws -> Link {
        let found = try links(at: reference, baseURL).filter { app == nil || $0.scope.app == app }
        guard found.count <= 1 else {
            let urls = found.map { baseURL.url(of: $0.address) }.joined(separator: " ")
            throw Failure(.conflict, "Several links match \(reference); use the URL of one of them: \(urls)")
        }
        if let link = found.first { return link }
        guard let number = Int64(reference), let link = try link(Link.ID(rawValue: number)), app == nil || link.scope.app == app
        else {
            throw Failure.noSuchLink
        }
        return link
    }

    /// Returns the link at a URL, or the links of all hosts that have a slug or an alias.
    private func links(at reference: String, _ baseURL: BaseURL) throws -> [Link] {
        guard reference.contains("://") else {
            let hosts = try [""] + domains().map(\.host)
            return try hosts.compactMap { try link(at: LinkAddress(host: $0, path: reference)) }
        }
        let parts = URLParts(reference)
        let isRegistered = try domain(parts.host) != nil
        guard isRegistered || parts.host == baseURL.host else { return [] }
        for address in baseURL.addresses(host: parts.host, path: parts.path, isRegistered: isRegistered) {
            if let link = try link(at: address) { return [link] }
        }
        return []
    }
}
