import Linden
import LindenKernel

/// Replaces the keys and secrets of apps, and revokes signed file URLs.
package struct KeyRotationService: Sendable {
    private let storage: any Database
    private let random: RandomSource
    private let caches: AppCaches

    package init(storage: any Database, random: RandomSource, caches: AppCaches) {
        self.storage = storage
        self.random = random
        self.caches = caches
    }

    /// Gives one side of an app a new secret. The current one is accepted until the overlap is over. Fails with `conflict` if
    /// ``FormerSecret/mostAccepted`` are accepted already.
    ///
    /// An empty overlap means that the secret is compromised, so issued file URLs are revoked, too.
    package func rotateSecret(of scope: Scope, overlap: RotationOverlap) async throws -> (secret: String, formerEndsAt: Timestamp?)
    {
        let secret = AppKey.newSecret(for: scope, random: random)
        let end = try await storage.write { transaction in
            let key = try Self.currentKey(of: scope, from: transaction)
            let end = try overlap.end(from: transaction.now)
            try Self.checkFormerSecrets(of: scope, in: transaction)
            try transaction.insert(
                FormerSecret(scope: scope, hash: key.secretHash, replacedAt: transaction.now, endsAt: end))
            try transaction.setSecret(hash: Secret.hash(secret), of: scope)
            if let end, end <= transaction.now { try transaction.revokeSignedURLs(of: scope.app) }
            return end
        }
        caches.invalidate(scope.app)
        return (secret, end)
    }

    /// Expires the former secrets of one side of an app now. Revokes issued file URLs if any of the secrets was still accepted.
    ///
    /// - Returns: the number of secrets that were accepted until now.
    package func endFormerSecrets(of scope: Scope) async throws -> Int {
        let count = try await storage.write { transaction in
            let count = try transaction.formerSecrets(of: scope.app).filter {
                $0.scope == scope && !$0.hasEnded(at: transaction.now)
            }.count
            try transaction.endFormerSecrets(of: scope, at: transaction.now)
            if count > 0 { try transaction.revokeSignedURLs(of: scope.app) }
            return count
        }
        if count > 0 { caches.invalidate(scope.app) }
        return count
    }

    /// Gives one side of an app a new key. Calls with the current key are accepted until the overlap is over; links that contain it keep
    /// working. The secret stays the same. Fails with `conflict` beyond ``AppKey/mostFormer``.
    package func rotateKey(of scope: Scope, overlap: RotationOverlap) async throws -> (key: AppKey, former: AppKey) {
        let keys = try await storage.write { [random] transaction in
            let present = try Self.currentKey(of: scope, from: transaction)
            guard try transaction.appKeys(of: scope.app).count(where: { $0.scope == scope }) <= AppKey.mostFormer else {
                throw Failure(
                    .conflict,
                    "An app's side may have at most \(AppKey.mostFormer) former keys. They are kept, because links with them go on working."
                )
            }
            let former = AppKey(
                branchKey: present.branchKey, scope: scope, secretHash: present.secretHash, replacedAt: transaction.now,
                endsAt: try overlap.end(from: transaction.now))
            let key = AppKey.make(for: scope, secretHash: present.secretHash, random: random)
            try transaction.update(former)
            try transaction.insert(key, at: transaction.now)
            return (key: key, former: former)
        }
        caches.invalidate(scope.app)
        return keys
    }

    /// Refuses calls with a replaced key from now on. Fails with `conflict` for a current key.
    package func endKey(_ branchKey: String) async throws -> AppKey {
        let ended = try await storage.write { transaction in
            guard let key = try transaction.appKey(branchKey) else {
                throw Failure.notFound("\(branchKey) is not the key of an app here.")
            }
            guard let replacedAt = key.replacedAt else {
                throw Failure(.conflict, "\(branchKey) is the app's current key; only a former key can be ended.")
            }
            let ended = AppKey(
                branchKey: key.branchKey, scope: key.scope, secretHash: key.secretHash, replacedAt: replacedAt,
                endsAt: min(key.endsAt ?? transaction.now, transaction.now))
            try transaction.update(ended)
            return ended
        }
        caches.invalidate(ended.scope.app)
        return ended
    }

    /// Revokes all issued file URLs of an app: exports, reports, archives of data subjects.
    package func revokeSignedURLs(of app: App.ID) async throws {
        try await storage.write { try $0.revokeSignedURLs(of: app) }
        caches.invalidate(app)
    }

    /// Fails with `conflict` if no further former secret may be accepted, and deletes those that have ended if there are many.
    private static func checkFormerSecrets(of scope: Scope, in transaction: any AppRepository & SnapshotReader) throws {
        let former = try transaction.formerSecrets(of: scope.app).filter { $0.scope == scope }
        guard former.count(where: { !$0.hasEnded(at: transaction.now) }) < FormerSecret.mostAccepted else {
            throw Failure(
                .conflict,
                """
                The app's side has \(FormerSecret.mostAccepted) former secrets that are still accepted. End them first, or wait until the \
                overlap of one is over.
                """)
        }
        guard former.count >= FormerSecret.mostKept else { return }
        try transaction.deleteFormerSecrets(of: scope, endedBy: transaction.now)
    }

    private static func currentKey(of scope: Scope, from reader: any AppReader) throws -> AppKey {
        guard let key = try reader.appKeys(of: scope.app).first(where: { $0.scope == scope && $0.replacedAt == nil }) else {
            throw Failure.notFound("There is no such app.")
        }
        return key
    }
}
