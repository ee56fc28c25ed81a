import Linden
import LindenKernel

/// A Branch product through which a click came, as exports and queries name it in `+current_feature` and `+via_features`.
package enum LinkProduct: String, Sendable {
    /// A paid ad.
    case ads = "ADS"
    /// A marketing link.
    case quickLinks = "QUICK_LINKS"
    case mobileDeepviews = "MOBILE_DEEPVIEWS"
    case desktopDeepviews = "DESKTOP_DEEPVIEWS"

    static let currentKey = "+current_feature"
    static let viaKey = "+via_features"

    /// The products that a link itself may belong to. Deepviews are pages on the way, whose buttons are no clicks of their own here.
    static let ofLinks: [LinkProduct] = [.ads, .quickLinks]

    /// The product of a link; nil for an ordinary shared link.
    ///
    /// - Parameter data: the link's data, with the query appended when it was clicked.
    init?(link: Link?, data: JSONObject) {
        let isAd = ["$3p", "~advertising_partner_name"].contains { data[$0]?.scalarText?.isEmpty == false }
        if isAd {
            self = .ads
        } else if link?.kind == .marketing || link?.source == .quickLink {
            self = .quickLinks
        } else {
            return nil
        }
    }
}
