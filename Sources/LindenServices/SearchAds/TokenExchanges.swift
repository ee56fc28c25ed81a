import Linden
import LindenKernel

/// Exchanges AdServices tokens for ads after their sessions were answered, and attributes organic sessions to the ads.
///
/// A session that was attributed to a link stays attributed to it, because its app has received the link.
package struct TokenExchanges: Sendable {
    private let runner: JobRunner<TokenExchangeQueue>

    package init(storage: any Storage, rules: AttributionRules, apple: any AdTokenService) {
        runner = JobRunner(TokenExchangeQueue(storage: storage, rules: rules, apple: apple))
    }

    /// Performs the exchanges that are due, or the first of them if there are many. To be called about once a second.
    package func runOnce() async throws {
        for _ in 0..<Self.mostRounds where !Task.isCancelled {
            guard try await runner.runRound() else { return }
        }
    }

    private static let mostRounds = 20
}

/// The pending exchanges.
private struct TokenExchangeQueue: JobQueue {
    /// Apple has the data some seconds after an install, and asks clients not to retry immediately.
    private static let backOff = JobBackOff(.seconds(5), .seconds(10), .seconds(30), .seconds(120), .seconds(600), .seconds(3600))

    let concurrency = 16
    let storage: any Storage
    let rules: AttributionRules
    let apple: any AdTokenService

    func due() async throws -> [TokenExchange] {
        try await storage.read { [concurrency] in try $0.tokenExchanges(dueAt: $0.now, limit: concurrency) }
    }

    func claim(_ exchange: inout TokenExchange) async throws -> Bool {
        let wait = Self.backOff.wait(after: exchange.state.attempts)
        return try await storage.write { [exchange] in try $0.claim(exchange, until: $0.now + wait) }
    }

    func run(_ exchange: inout TokenExchange) async throws -> JobOutcome {
        let attempts = exchange.state.attempts
        guard attempts < Self.backOff.attempts else { return .failed(reason: "Apple had no data.") }
        switch await apple.answer(to: exchange.token) {
        case .reported(let ad):
            try await storage.write { [rules, exchange] in try $0.finish(exchange, with: ad, rules) }
            return .done
        case .refused: return .failed(reason: "Apple refused the token.")
        case .notYet: return attempts + 1 == Self.backOff.attempts ? .failed(reason: "Apple had no data.") : .retry
        }
    }

    func outcome(of error: any Error) -> JobOutcome { .retry }

    func finish(_ exchange: TokenExchange, _ outcome: JobOutcome) async throws {
        guard case .failed = outcome else { return }
        try await storage.write { try $0.deleteTokenExchange(of: exchange.session) }
    }
}

extension TokenExchangeRepository where Self: SessionRepository & IdentityRepository & AppContextReader {
    /// Repeats the attribution of a session with Apple's response. Does nothing if a click or an ad is known already.
    fileprivate func finish(_ exchange: TokenExchange, with ad: SearchAd, _ rules: AttributionRules) throws {
        try deleteTokenExchange(of: exchange.session)
        guard let session = try session(exchange.session), session.click == nil, let evidence = session.evidence,
            evidence.searchAd == nil,
            let app = try appContext(scope: session.scope, withRoutes: false)
        else { return }
        try update(
            session, with: evidence, and: Evidence.SearchAdAttribution(ad, app, session.kind, at: session.id.time), rules)
    }

    private func update(
        _ session: Session, with evidence: Evidence, and ad: Evidence.SearchAdAttribution, _ rules: AttributionRules
    ) throws {
        var evidence = evidence
        evidence.searchAd = ad
        let decision = AttributionPolicy.decide(evidence, rules)
        guard decision.match == nil else { return }
        let isFirst = session.data["+is_first_session"] == true
        let data = decision.ad.map {
            ReferringData.advertised(
                by: $0, isFirstSession: isFirst, foreignURL: session.data["+non_branch_link"]?.string)
        }
        // Only for a first session, because the data of another one may be large, and other writers would wait while it is parsed.
        if let data, isFirst, try firstSessionData(of: session.identity) == session.data {
            try replaceFirstSessionData(data, of: session.identity)
        }
        try update(
            session.id, data: data ?? session.data, explanation: StoredDecision(decision), evidence: evidence)
    }
}
