import Linden
import LindenKernel
import LinkRouting

/// The base of the links that an SDK creates offline: the app's long link with a token of its identity. The SDK appends query pairs to it.
///
/// The token identifies the sharing identity and grants no access. Branch uses the identity's own token here, with which every recipient of
/// such a link could impersonate the identity.
enum PersonalLink {
    /// - Parameter identity: nil for a link that names no sharer.
    static func url(of identity: Identity.ID?, app: AppContext, baseURL: BaseURL, parameter: String, _ ids: PublicIDs) -> String {
        let base = baseURL.longLinkBase(of: app)
        guard let identity else { return base }
        return URLParts.appending(QueryItem(name: parameter, value: ids.shareToken(for: identity)), to: base)
    }
}
