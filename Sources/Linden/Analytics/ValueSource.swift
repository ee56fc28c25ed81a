/// The source of a dimension's value, which determines the share of the day's limit that the value counts towards.
package enum ValueSource: Sendable, Hashable {
    /// A link that the app itself created, see ``Link/isAuthenticated``. Clients with only the public key cannot introduce such a value.
    case app
    /// A visitor, identified by ``AnalyticsRecord/source``, and its site if known.
    case visitor(Int64, site: Int64?)
    /// A visitor without any stored identifier.
    case unknown
}

extension AnalyticsRecord {
    /// Returns the source of the record's value of a dimension: for labels and links, the app if it created the link; otherwise the
    /// visitor.
    package func source(of dimension: Dimension) -> ValueSource {
        switch dimension {
        case .channel, .campaign, .feature, .link: isOfAuthenticatedLink ? .app : visitor
        default: visitor
        }
    }

    private var visitor: ValueSource { source.map { ValueSource.visitor($0, site: site) } ?? .unknown }
}
