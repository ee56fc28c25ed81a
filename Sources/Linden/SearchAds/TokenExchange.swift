import LindenKernel

/// A pending exchange of an AdServices token (iOS 14.3 and later) for the ad that led to its session.
package struct TokenExchange: Sendable, Equatable {
    /// The age at which exchanges are deleted. Longer than the retries last, and than Apple keeps a token.
    package static let longestLife: Duration = .seconds(86_400)

    package let session: Session.ID
    package let app: App.ID
    package let token: String
    package let state: JobState

    package init(session: Session.ID, app: App.ID, token: String, state: JobState) {
        self.session = session
        self.app = app
        self.token = token
        self.state = state
    }
}

package protocol TokenExchangeReader {
    /// Exchanges that are due at a time: the earliest of each app, then the second of each, and so on.
    func tokenExchanges(dueAt time: Timestamp, limit: Int) throws -> [TokenExchange]
    /// Whether there are exchanges of sessions before a time.
    func hasTokenExchanges(before time: Timestamp) throws -> Bool
}

package protocol TokenExchangeRepository: TokenExchangeReader {
    func insert(_ exchange: TokenExchange) throws
    /// Claims an exchange for one attempt and postpones the next. False if another process claimed it first.
    func claim(_ exchange: TokenExchange, until next: Timestamp) throws -> Bool
    func deleteTokenExchange(of session: Session.ID) throws
    func deleteTokenExchanges(before time: Timestamp, limit: Int) throws
}

/// The service that exchanges tokens for ads: Apple.
package protocol AdTokenService: Sendable {
    func answer(to token: String) async -> AdTokenAnswer
}

package enum AdTokenAnswer: Sendable, Equatable {
    case reported(SearchAd)
    /// Apple has no data yet, or cannot be reached.
    case notYet
    /// The token is invalid or too old.
    case refused
}
