import Linden
import LindenKernel

extension RateLimiter {
    /// The key of a bucket by address.
    struct Client: Hashable {
        enum Unit {
            case address, site
            /// What a site takes from a key's reserve.
            case siteInReserve
            /// What the visits of a site take from an app's budget for queries.
            case siteInQueries
        }

        let network: UInt64
        var unit = Unit.address
        /// Nil for the requests of an address with any key.
        let scope: Scope?
        let call: LimitedCall

        /// The bucket of an address's /24 or /48 with one key.
        static func site(of address: ClientAddress, _ scope: Scope?, _ call: LimitedCall, unit: Unit = .site) -> Client {
            Client(network: address.siteNumber, unit: unit, scope: scope, call: call)
        }

        var owner: Refusal.Owner { scope == nil ? .address : unit == .address ? .keyAndAddress : .keyAndSite }
    }

    /// The key of a bucket of an app.
    struct Credential: Hashable {
        let scope: Scope
        let isSecret: Bool
        /// Whether it is the reserve of the key.
        var isReserve = false
        /// Whether it is the app's budget for queries of visits.
        var isOfQueries = false
        /// Whether it is that of all calls with an access token.
        var isOfAllTokens = false
        /// The access token that authorizes the calls instead of the key; nil for other calls.
        var token: AccessToken.ID?
        let call: LimitedCall
    }
}
