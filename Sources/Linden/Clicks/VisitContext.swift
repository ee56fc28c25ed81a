import LindenKernel
import LinkRouting

/// The context of a visit to a link: the request, the link, the decision, and the values that the response needs.
///
/// A class, because it is passed between many functions and copying its strings would cost more than the work on them. What is
/// decided is set in this order: the visitor's `hasApp`, the outcome, the inputs. It is not changed once its recording has begun.
final class VisitContext: @unchecked Sendable {
    let visit: Visit
    let found: ResolvedLink
    /// The link's control parameters, overridden by the items appended to this visit.
    let parameters: ControlParameters
    let urls: LinkURLs?
    /// URLs of other sites that the visited URL sets, which are ignored.
    let refused: [URLParts]
    var visitor: Visitor
    /// The outcome as decided, before recording.
    var outcome = VisitOutcome(RenderedDestination(Destination(.nowhere, reason: .ended)))
    var inputs = VisitInputs()

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
        guard visitor.platform == .iOS, let host = found.app.alternateDomain, host != visit.host else { return nil }
        return host
    }
}

/// The values that the response to a visit needs besides the link: looked up, or from the cache.
struct VisitInputs: Sendable {
    /// See ``VisitResult/alternateDomain``.
    var alternateDomain: String?
    /// The domain of the visited host. Nil if it is no app's, or the link has no usage limit, so that recording cannot find it expired.
    var domain: Domain?
    /// See ``VisitResult/object``.
    var object: JSONObject = [:]
}
