/// A token of Apple's that is yet to be exchanged for the ad that brought its session (AdServices, from iOS 14.3 on).
package struct TokenExchange: Sendable, Equatable {
    /// Longer than Apple is ever asked for one, and than Apple knows a token.
    static let longestLife: Duration = .seconds(86_400)

    package let session: Session.ID
    package let token: String
    /// How often Apple was asked.
    package let tries: Int
    package let dueAt: Timestamp

    package init(session: Session.ID, token: String, tries: Int = 0, dueAt: Timestamp) {
        self.session = session
        self.token = token
        self.tries = tries
        self.dueAt = dueAt
    }
}

package protocol TokenExchangeReader {
    /// Those that are due at a time, the longest due first.
    func tokenExchanges(dueAt time: Timestamp, limit: Int) throws -> [TokenExchange]
    /// Whether there are any of sessions before a time.
    func hasTokenExchanges(before time: Timestamp) throws -> Bool
}

package protocol TokenExchangeRepository: TokenExchangeReader {
    func insert(_ exchange: TokenExchange) throws
    /// Takes an exchange for one try and puts it off. False if somebody was faster.
    func take(_ exchange: TokenExchange, until next: Timestamp) throws -> Bool
    func deleteTokenExchange(of session: Session.ID) throws
    func deleteTokenExchanges(before time: Timestamp, limit: Int) throws
}

/// What tells of ads for tokens: Apple.
package protocol AdTokenService: Sendable {
    func answer(to token: String) async -> AdTokenAnswer
}

package enum AdTokenAnswer: Sendable, Equatable {
    case told(SearchAd)
    /// Apple knows nothing yet, or cannot be reached.
    case notYet
    /// The token is none, or too old.
    case refused
}
