import Linden
import LinkRouting

/// The base of the links that an SDK makes up without a server: the app's long link with a token for its user. The SDK appends pairs to it.
///
/// The token says who shares, and nothing more. Branch puts the user's own token there; but everybody who is sent such a link reads it,
/// and with it he could be that user.
enum PersonalLink {
    static func url(of identity: Identity.ID, app: AppContext, baseURL: BaseURL, parameter: String, _ ids: PublicIDs) -> String {
        URLParts.appending(QueryItem(name: parameter, value: ids.shareToken(for: identity)), to: baseURL.longLinkBase(of: app))
    }
}
