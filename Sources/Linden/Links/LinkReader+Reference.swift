import LindenKernel
import LinkRouting

extension LinkReader where Self: DomainReader {
    /// Returns the link that an operator names by URL, slug, alias or id, see ``LinkService/find(_:in:)``.
    func link(named reference: String, in app: App.ID?, _ baseURL: BaseURL) throws -> Link {
        let found = try links(at: reference, in: app, baseURL)
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

    /// The most links that an ambiguous reference names.
    private static var mostNamed: Int { 3 }

    /// Returns the link at a URL, or some links of all hosts that have a slug or an alias.
    private func links(at reference: String, in app: App.ID?, _ baseURL: BaseURL) throws -> [Link] {
        guard reference.contains("://") else {
            // Looked up on each host. Decomposed, a character has more bytes than in its normal form.
            guard reference.utf8.count <= 16 * LengthLimits.alias else { return [] }
            let address = LinkAddress(host: "", path: reference)
            let hosts = try app.map { app in try Mode.allCases.flatMap { try domains(of: Scope(app: app, mode: $0)) } } ?? hosts()
            var found: [Link] = []
            // A link has 64 KiB, and an app a thousand hosts.
            for host in [""] + hosts where found.count < Self.mostNamed {
                guard let link = try link(at: address.on(host)), app == nil || link.scope.app == app else {
                    continue
                }
                found.append(link)
            }
            return found
        }
        let parts = URLParts(reference)
        let isRegistered = try domain(parts.host) != nil
        guard isRegistered || parts.host == baseURL.host else { return [] }
        for address in baseURL.addresses(host: parts.host, path: parts.path, isRegistered: isRegistered) {
            if let link = try link(at: address) { return app == nil || link.scope.app == app ? [link] : [] }
        }
        return []
    }
}
