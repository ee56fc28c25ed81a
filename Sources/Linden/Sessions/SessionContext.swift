import LindenKernel
import LinkRouting

/// The context of a session to be started, with everything that was looked up before its transaction.
struct SessionContext: Sendable {
    let start: SessionStart
    /// The link that opened the app, if it is one of the app's.
    let opened: Link?
    /// The query appended to it at the earlier click, if the launch names a click of it.
    let openedQuery: String?
    /// The id of that click or text message.
    let openedVia: Click.ID?
    /// Whether the launch continues that click and takes no other of the link's clicks.
    let openedContinuesClick: Bool
    /// The link of a click that may match, read before the transaction, since its data may be large: at first of the click that the launch
    /// names.
    var clicked: ClickedLink?
    /// Whether an earlier transaction met a click with a large link, see ``UnreadLink``.
    var isRepeated = false
    /// The country of the client's address.
    let country: String?
    let address: StoredAddress
    let addressClass: AddressClass
    /// See ``AddressPseudonymizer/site(of:)``.
    let site: Int64?
    /// Nil for a caller whose rewards are not limited by origin.
    let rewardOrigin: RewardOrigin?
    /// Whether to exchange a token with Apple for the search ad behind it.
    let exchangesAdTokens: Bool
    let rules: AttributionRules
    let baseURL: BaseURL
    let publicIDs: PublicIDs
}

/// A click and its link.
struct ClickedLink: Sendable {
    let click: Click.ID
    let link: Link
}

/// Ends a transaction whose click matched before it has written anything: the click's link is large and must be parsed outside the
/// transaction, because other writers would wait. The transaction is then repeated once.
struct UnreadLink: Error {
    let click: Click.ID

    /// The length of link data and queries, in characters, up to which they are parsed within a transaction.
    static let smallLength = 4096
}
