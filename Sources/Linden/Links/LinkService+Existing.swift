import LindenKernel

extension LinkService {
    /// Returns for each new link the one that exists at its alias with the same content; nil if there is none, or without an alias. A failure is
    /// that of ``create(_:for:charging:)``: `conflict` if another link has the alias. Owners are not compared.
    package func existing(
        _ items: [Result<NewLink, Failure>], for app: AppContext
    ) async throws -> [Result<Link?, Failure>] {
        let drafts = items.map { item in item.flatMap { new in Result { () throws(Failure) in try draft(new, for: app) } } }
        return try await storage.read { [baseURL] reader in
            try drafts.map { draft in
                do {
                    return .success(try reader.link(equalTo: try draft.get(), of: app, baseURL))
                } catch let failure as Failure where failure.code != .unavailable {
                    return .failure(failure)
                }
            }
        }
    }
}

extension Reader {
    fileprivate func link(equalTo draft: LinkDraft, of app: AppContext, _ baseURL: BaseURL) throws -> Link? {
        let address = LinkAddress(host: try host(for: draft.new, of: app), path: draft.path)
        guard draft.new.alias != nil,
            let stored = try storedLink(at: address) ?? baseURL.equivalentAddress(of: address).flatMap({ try storedLink(at: $0) })
        else { return nil }
        let link = stored.link(with: try stored.parsedData())
        try link.confirm(equalTo: draft.new, isSameOwner: true, in: app.scope, baseURL, isBulk: false)
        return link
    }
}
