/// The filters of an app in the order of registration. The first that matches wins; in Roots the winner depends on the order of a
/// dictionary.
public struct RootsFilters: Sendable, Hashable {
    public private(set) var filters: [RootsFilter] = []

    public init() {}

    /// Adds a filter; replaces an earlier one with equal key and format, in its place.
    public mutating func register(_ filter: RootsFilter) {
        if let index = filters.firstIndex(where: { $0.key == filter.key && $0.format == filter.format }) {
            filters[index] = filter
        } else {
            filters.append(filter)
        }
    }

    /// Returns the filter that Roots-iOS chooses for a URL that opened the app: any filter for `al:ios:url` beats any for `al:web:url`,
    /// whatever the URL's scheme. Filters for other keys are ignored.
    public func match(_ url: String) -> RootsMatch? {
        first(.iOSURL) { $0.parameters(in: url) } ?? first(.webURL) { $0.parameters(in: url) }
    }

    /// Returns the filter that Roots-Android chooses when it launches the app: any filter for `al:android:url` beats any for `al:web:url`.
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
