import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// The tables of the dashboard's users and sessions.
@Suite struct DashboardStorageTests {
    private static let password = "an orchard in bloom"

    @Test(.enabled(if: Engine.isSQLite)) func noSecretAndNoPasswordIsStored() async throws {
        try await Installation.run { installation in
            let users = installation.services.dashboardUsers
            let first = try await users.create(name: "ann", role: .admin, app: nil).secret
            func stored() async throws -> String {
                try await installation.texts(
                    """
                    SELECT name || ' ' || COALESCE(password_hash, '') || ' ' || COALESCE(HEX(set_up_hash), '') FROM dashboard_users
                    UNION ALL SELECT HEX(hash) FROM dashboard_sessions
                    UNION ALL SELECT query || ' ' || HEX(hash) FROM shared_questions
                    """
                ).joined(separator: " ")
            }
            let invited = try await stored()
            #expect(invited.contains(hexadecimal(Secret.hash(first))))
            _ = try await users.setPassword(Self.password, with: first)
            let session = try await users.signIn(name: "ann", password: Self.password, from: .unknown).secret
            let scope = try await installation.createApp().live.key.scope
            let share = try await installation.services.sharedQuestions.create("question=counts", title: "Clicks", in: scope).secret
            let active = try await stored()
            #expect(active.contains("$argon2id$"))
            #expect(active.contains(hexadecimal(Secret.hash(session))))
            #expect(active.contains(hexadecimal(Secret.hash(share))))
            #expect(!active.contains(hexadecimal(Secret.hash(first))))
            for secret in [first, session, share, Self.password] {
                #expect(!(invited + active).contains(secret))
                #expect(!(invited + active).contains(hexadecimal(Array(secret.utf8))))
            }
        }
    }

    @Test func expiredSessionsAreDeletedWithTheNextSignIn() async throws {
        try await Installation.run { installation in
            let users = installation.services.dashboardUsers
            let secret = try await users.create(name: "ann", role: .admin, app: nil).secret
            let user = try await users.setPassword(Self.password, with: secret)
            let now = installation.clock.now
            try await installation.storage.write { transaction in
                for (number, (used, end)) in [
                    (now - .seconds(12 * 3600), now + .seconds(1)), (now - .seconds(12 * 3600 - 1), now + .seconds(1)),
                    (now, now), (now, now + .seconds(1)),
                ].enumerated() {
                    let session = DashboardSession(
                        id: Identifier(rawValue: Int64(number)), user: user, createdAt: now, lastUsedAt: used, expiresAt: end)
                    try transaction.insert(session, hash: [UInt8(number)])
                }
            }
            _ = try await users.signIn(name: "ann", password: Self.password, from: .unknown)
            #expect(try await installation.texts("SELECT CAST(id AS TEXT) FROM dashboard_sessions WHERE id < 10") == ["1", "3"])
            #expect(try await installation.count("SELECT COUNT(*) FROM dashboard_sessions") == 3)
        }
    }

    /// Every page looks up its session, and anyone may try to sign in.
    @Test(.enabled(if: Engine.isSQLite)) func namesSecretsAndSessionsAreFoundByTheirIndexes() async throws {
        try await Installation.run { installation in
            let plans = try await installation.storage.write { transaction in
                let connection = RecordingConnection((transaction as! SQLTransaction).connection)
                let recorder = SQLTransaction(connection: connection, state: SQLState(owner: "test"), now: transaction.now)
                _ = try recorder.dashboardUser(named: "ann")
                _ = try recorder.dashboardUser(setUpHash: [1])
                _ = try recorder.dashboardSession(hash: [1])
                let (user, now) = (DashboardUser.ID(rawValue: 1), transaction.now)
                _ = try recorder.setPassword("hash", setUpHash: [1], at: now)
                try recorder.deleteDashboardSession(hash: [1])
                try recorder.deleteDashboardSessions(of: user)
                try recorder.deleteDashboardSessions(of: user, beyond: 50)
                try recorder.deleteDashboardSessions(lastUsedBy: now, expiredBy: now)
                _ = try recorder.dashboardUser(providerSubject: "https://login.example.com 42")
                _ = try recorder.linkDashboardUser(user, toProviderSubject: "https://login.example.com 42")
                _ = try recorder.secondFactor(of: user)
                _ = try recorder.recoveryCodes(of: user)
                _ = try recorder.useSecondFactor(step: 1, of: user)
                _ = try recorder.useRecoveryCode([1], of: user)
                let scope = Scope(app: Identifier(rawValue: 1), mode: .live)
                _ = try recorder.sharedQuestion(hash: [1])
                _ = try recorder.sharedQuestions(in: scope)
                _ = try recorder.deleteSharedQuestion(Identifier(rawValue: 1), in: scope)
                try recorder.deleteSharedQuestions(expiredBy: now)
                return try connection.recorded.map { sql in
                    try connection.query(SQL(text: "EXPLAIN QUERY PLAN " + sql.text, values: sql.values)) { $0.text(3) }
                }
            }
            #expect(plans.count >= 19)
            for plan in plans {
                #expect(plan.contains { $0.hasPrefix("SEARCH") }, "\(plan)")
                #expect(!plan.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
            }
        }
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
}
