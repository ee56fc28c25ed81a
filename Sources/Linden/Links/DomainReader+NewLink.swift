import LindenKernel
import LinkRouting

extension DomainReader {
    /// Returns the host of a new link: the one that it names, or the app's first. Throws `invalid` for a host of another app.
    func host(for new: NewLink, of app: AppContext) throws -> String {
        guard let wanted = new.domain else { return app.domain ?? "" }
        let host = URLParts.hostAndPort(wanted).host
        guard try domain(host)?.scope == app.scope else {
            throw Failure.invalid("domain must be one of the app's own domains.")
        }
        return host
    }
}
