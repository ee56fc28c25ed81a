import LinkRouting

/// A visit to a link, with what is to be known of it before it is decided where it leads.
///
/// A class, because it goes from hand to hand and copying all these texts would take longer than what is done with them. Nothing
/// of it changes once it is decided where it leads.
final class Arrival: @unchecked Sendable {
    let visit: Visit
    let found: FoundLink
    /// The link's, with what is appended to it now.
    let parameters: ControlParameters
    let urls: LinkURLs?
    /// URLs of other sites that the address sets, which do not count.
    let refused: [URLParts]
    var visitor: Visitor

    init(
        visit: Visit, found: FoundLink, parameters: ControlParameters, urls: LinkURLs?, refused: [URLParts], visitor: Visitor
    ) {
        self.refused = refused
        self.visit = visit
        self.found = found
        self.parameters = parameters
        self.urls = urls
        self.visitor = visitor
    }

    /// Whether it makes a difference if the visitor has the app, and nothing but the browser can tell.
    var mustAskForApp: Bool {
        visitor.hasApp == nil && visitor.robot == nil && visit.browser != nil
            && parameters.asksForApp(on: visitor.platform, found.app.routing)
    }

    /// iOS opens an app for a tap on a link to another host than the page's own, so a button on a page leads to a second one (Apple,
    /// "Supporting universal links in your app"). Nil unless the app is to have one.
    var wantedSecondHost: String? {
        let configuration = found.app.app.configuration
        guard visitor.platform == .iOS, configuration["ios_team_id"] != nil, configuration["ios_bundle_id"] != nil,
            let host = configuration["alternate_short_url_domain"].flatMap({ try? Domain.normalizedHost($0) }), host != visit.host
        else { return nil }
        return host
    }
}
