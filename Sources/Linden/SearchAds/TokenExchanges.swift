/// Exchanges AdServices tokens for ads after their sessions were answered, and attributes organic sessions to the ads.
///
/// A session that was attributed to a link stays attributed to it, because its app has received the link.
package struct TokenExchanges: Sendable {
    /// The delays after each try. Apple has the data some seconds after an install, and asks clients not to retry immediately.
    private static let waits: [Duration] = [.seconds(5), .seconds(10), .seconds(30), .seconds(120), .seconds(600), .seconds(3600)]
    private static let batch = 16

    private let storage: any Storage
    private let publicIDs: PublicIDs
    private let rules: AttributionRules
    private let apple: any AdTokenService

    package init(storage: any Storage, publicIDs: PublicIDs, rules: AttributionRules, apple: any AdTokenService) {
        self.rules = rules
        self.publicIDs = publicIDs
        self.storage = storage
        self.apple = apple
    }

    /// Performs the exchanges that are due. To be called about once a second.
    package func runOnce() async throws {
        let due = try await storage.read { try $0.tokenExchanges(dueAt: $0.now, limit: Self.batch) }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for exchange in due { tasks.addTask { try await run(exchange) } }
            try await tasks.waitForAll()
        }
    }

    private func run(_ exchange: TokenExchange) async throws {
        guard exchange.tries < Self.waits.count else { return try await end(exchange) }
        let wait = Self.waits[exchange.tries]
        guard try await storage.write({ try $0.take(exchange, until: $0.now + wait) }) else { return }
        switch await apple.answer(to: exchange.token) {
        case .reported(let ad):
            try await storage.write { [publicIDs, rules] in try $0.finish(exchange, with: ad, rules, publicIDs) }
        case .refused: try await end(exchange)
        case .notYet where exchange.tries + 1 == Self.waits.count: try await end(exchange)
        case .notYet: break
        }
    }

    private func end(_ exchange: TokenExchange) async throws {
        try await storage.write { try $0.deleteTokenExchange(of: exchange.session) }
    }
}

extension Transaction {
    /// Repeats the attribution of a session with Apple's response. Does nothing if a click or an ad is known already.
    fileprivate func finish(_ exchange: TokenExchange, with ad: SearchAd, _ rules: AttributionRules, _ publicIDs: PublicIDs) throws
    {
        try deleteTokenExchange(of: exchange.session)
        guard let session = try session(exchange.session), session.click == nil, let evidence = session.evidence,
            evidence.searchAd == nil,
            let app = try appContext(scope: session.scope, withRoutes: false)
        else { return }
        try update(
            session, with: evidence, and: Evidence.SearchAdAttribution(ad, app, session.kind, at: session.id.time), rules, publicIDs
        )
    }

    private func update(
        _ session: Session, with evidence: Evidence, and ad: Evidence.SearchAdAttribution, _ rules: AttributionRules,
        _ publicIDs: PublicIDs
    ) throws {
        var evidence = evidence
        evidence.searchAd = ad
        let decision = AttributionPolicy.decide(evidence, rules)
        guard decision.match == nil else { return }
        let data = decision.ad.map {
            ReferringData.advertised(
                by: $0, isFirstSession: session.data["+is_first_session"] == true,
                foreignURL: session.data["+non_branch_link"]?.string)
        }
        if let data, try firstSessionData(of: session.identity) == session.data {
            try replaceFirstSessionData(data, of: session.identity)
        }
        try update(
            session.id, data: data ?? session.data, explanation: decision.explanation(publicIDs), evidence: evidence)
    }
}
