import LindenKernel
import LinkRouting

extension DomainReader {
    /// Returns the host of a new link: the one that it names, or the app's first. Throws `invalid` for a host of another app.
    func host(for new: NewLink, of app: AppContext) throws -> String {
        guard let wanted = new.domain else { return app.domain ?? "" }
        // No host name is that long, and other writers wait meanwhile.
        let host = wanted.utf8.count <= 512 ? URLParts.hostAndPort(wanted).host : ""
        guard !host.isEmpty, try domain(host)?.scope == app.scope else {
            throw Failure.invalid("domain must be one of the app's own domains.")
        }
        return host
    }
}
