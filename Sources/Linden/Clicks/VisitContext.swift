import LinkRouting

/// The context of a visit to a link, gathered before its destination is decided.
///
/// A class, because it is passed between many functions and copying its strings would cost more than the work on them. It is not mutated
/// after the destination is decided.
final class VisitContext: @unchecked Sendable {
    let visit: Visit
    let found: ResolvedLink
    /// The link's control parameters, overridden by the items appended to this visit.
    let parameters: ControlParameters
    let urls: LinkURLs?
    /// URLs of other sites that the visited URL sets, which are ignored.
    let refused: [URLParts]
    var visitor: Visitor

    init(
        visit: Visit, found: ResolvedLink, parameters: ControlParameters, urls: LinkURLs?, refused: [URLParts], visitor: Visitor
    ) {
        self.refused = refused
        self.visit = visit
        self.found = found
        self.parameters = parameters
        self.urls = urls
        self.visitor = visitor
    }

    /// Whether the destination depends on the app being installed, and only the browser can show whether it is.
    var mustAskForApp: Bool {
        visitor.hasApp == nil && visitor.robot == nil && visit.browser != nil
            && parameters.asksForApp(on: visitor.platform, found.app.routing)
    }

    /// The alternate domain that a button on a page links to. iOS opens an app for a tap on a link to another host than the page's own
    /// (Apple, "Supporting universal links in your app"). Nil unless the visitor is on iOS and the app has an alternate domain other than
    /// this host.
    var wantedAlternateDomain: String? {
        let configuration = found.app.app.configuration
        guard visitor.platform == .iOS, configuration["ios_team_id"] != nil, configuration["ios_bundle_id"] != nil,
            let host = configuration["alternate_short_url_domain"].flatMap({ try? Domain.normalizedHost($0) }), host != visit.host
        else { return nil }
        return host
    }
}
