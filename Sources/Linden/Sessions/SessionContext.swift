import LindenKernel
import LinkRouting

/// The context of a session to be started, with everything that was looked up before its transaction.
struct SessionContext: Sendable {
    let start: SessionStart
    /// The link that opened the app, if it is one of the app's.
    let opened: Link?
    /// The URL that opened the app, if it is no link of the app and none of the server's own pages.
    let foreignURL: String?
    /// The query appended to it at the earlier click, if the launch names a click of it.
    let openedQuery: String?
    /// The id of that click or text message.
    let openedVia: Click.ID?
    /// Whether the launch continues that click and takes no other of the link's clicks.
    let openedContinuesClick: Bool
    /// The country of the client's address.
    let country: String?
    let address: StoredAddress
    let addressClass: AddressClass
    /// See ``AddressPseudonymizer/site(of:)``.
    let site: Int64?
    /// Nil for a caller whose rewards are not limited by origin.
    let rewardOrigin: RewardOrigin?
    /// Whether to exchange the session's token with Apple for the search ad behind it.
    let exchangesAdToken: Bool
    let rules: AttributionRules
    let baseURL: BaseURL
    let publicIDs: PublicIDs
}
