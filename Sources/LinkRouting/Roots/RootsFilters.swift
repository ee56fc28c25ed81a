/// The filters of an app, in the order of their registration, which decides between several that match: Roots leaves that to
/// the order of a dictionary.
public struct RootsFilters: Sendable, Hashable {
    public private(set) var filters: [RootsFilter] = []

    public init() {}

    /// Adds a filter. The same key and format again gives the earlier filter a new target.
    public mutating func register(_ filter: RootsFilter) {
        if let index = filters.firstIndex(where: { $0.key == filter.key && $0.format == filter.format }) {
            filters[index] = filter
        } else {
            filters.append(filter)
        }
    }

    /// What Roots-iOS does with a URL that opened the app: any filter for `al:ios:url` is strong and beats any for `al:web:url`,
    /// whatever the URL's scheme. Filters for other keys are kept and never asked.
    public func match(_ url: String) -> RootsMatch? {
        first(.iOSURL) { $0.parameters(in: url) } ?? first(.webURL) { $0.parameters(in: url) }
    }

    /// What Roots-Android does when it started the app.
    public func match(_ launch: RootsAndroidLaunch) -> RootsMatch? {
        first(.androidURL, launch.parameters(forAndroid:)) ?? first(.webURL, launch.parameters(forWeb:))
    }

    private func first(_ key: AppLinkKey, _ parameters: (RootsFormat) -> [String: String]?) -> RootsMatch? {
        for filter in filters where filter.key == key {
            if let parameters = parameters(filter.format) { return RootsMatch(filter: filter, parameters: parameters) }
        }
        return nil
    }
}
