import Linden
import LindenKernel
import LindenReporting

/// A service that shares questions about an app's figures by an address, answers them, and ends that.
package struct SharedQuestionService: Sendable {
    let storage: any Database
    let analytics: AnalyticsService
    let random: RandomSource

    /// Shares a question. Returns it with the secret of its address, of which only a hash is stored. Fails with `invalid`, or as the question
    /// does, for one that cannot be answered; with `conflict` beyond ``SharedQuestion/mostPerScope``. Nothing is stored then.
    ///
    /// - Parameters:
    ///   - days: the days until the address expires.
    ///   - user: nil if the command line or an access token shares it.
    package func create(
        _ query: String, title: String, days: Int = SharedQuestion.standardDays, by user: DashboardUser? = nil, in scope: Scope
    ) async throws -> (shared: SharedQuestion, secret: String) {
        let characters = title.unicodeScalars
        guard (1...SharedQuestion.longestTitle).contains(characters.count), !characters.contains(where: Self.isControl) else {
            throw Failure.invalid("title must have 1 to \(SharedQuestion.longestTitle) characters, without line breaks.")
        }
        guard SharedQuestion.allowedDays.contains(days) else {
            let allowed = SharedQuestion.allowedDays
            throw Failure.invalid("days must be a whole number from \(allowed.lowerBound) to \(allowed.upperBound).")
        }
        let asked = try AskedQuestion(query)
        // What cannot be answered is refused now, to the person who asks, and not later to those who have the address.
        _ = try await reply(to: asked, of: scope)
        let secret = random.alphanumerics(40)
        let shared = try await storage.write { transaction in
            try transaction.deleteSharedQuestions(expiredBy: transaction.now)
            guard try transaction.sharedQuestions(in: scope).count < SharedQuestion.mostPerScope else {
                throw Failure(
                    .conflict,
                    "An app's side may have \(SharedQuestion.mostPerScope) shared questions. Revoke one that is not needed.")
            }
            let shared = SharedQuestion(
                id: try transaction.newID(), scope: scope, title: title, query: asked.query, creator: user?.name,
                createdAt: transaction.now, expiresAt: transaction.now + .seconds(Int64(days) * 86400))
            try transaction.insert(shared, hash: Secret.hash(secret), by: user?.id)
            return shared
        }
        return (shared, secret)
    }

    /// Returns the questions whose addresses are valid, the newest first.
    package func list(_ scope: Scope) async throws -> [SharedQuestion] {
        try await storage.read { reader in
            let now = reader.now
            return try reader.sharedQuestions(in: scope).filter { now < $0.expiresAt }
        }
    }

    /// Returns the question at the address with this secret; nil if it has expired, was revoked, or never existed.
    package func find(_ secret: String) async throws -> SharedQuestion? {
        try await storage.read { reader in
            let now = reader.now
            return try reader.sharedQuestion(hash: Secret.hash(secret)).flatMap { now < $0.expiresAt ? $0 : nil }
        }
    }

    /// Answers a question as of now.
    package func answer(_ shared: SharedQuestion) async throws -> (question: AnalyticsQuestion, reply: AnalyticsReply) {
        let asked = try AskedQuestion(shared.query)
        return (asked.question, try await reply(to: asked, of: shared.scope))
    }

    private func reply(to asked: AskedQuestion, of scope: Scope) async throws -> AnalyticsReply {
        try await analytics.inTurn(of: scope) { try await analytics.reply(to: asked.question, asked.parameters, of: scope) }
    }

    /// Ends the address of a question. Returns false if there is none with this id.
    package func revoke(_ id: SharedQuestion.ID, in scope: Scope) async throws -> Bool {
        try await storage.write { try $0.deleteSharedQuestion(id, in: scope) }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }
}
