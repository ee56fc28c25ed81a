/// The origin of a value of a dimension, as the shares of a day's values count it.
package enum ValueSource: Sendable, Hashable {
    /// A link that the app made itself, see ``Link/isAuthenticated``. No stranger can bring such a value.
    case app
    /// A visitor, by the number of ``Activity/source``.
    case visitor(Int64)
    /// A visitor of whom nothing is stored.
    case unknown
}

extension Activity {
    /// The origin of its value of a dimension. The link's labels come from whom the link comes from, everything else from the visitor.
    package func source(of dimension: Dimension) -> ValueSource {
        switch dimension {
        case .channel, .campaign, .feature, .link: isOfAuthenticatedLink ? .app : visitor
        default: visitor
        }
    }

    private var visitor: ValueSource { source.map(ValueSource.visitor) ?? .unknown }
}
