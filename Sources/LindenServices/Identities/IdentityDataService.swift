import Linden
import LindenKernel
import LindenLedger
import LindenReporting

/// Shows and erases the data that is stored about a data subject.
package struct IdentityDataService: Sendable {
    let storage: any Database
    private let caches: AppCaches
    private let publicIDs: PublicIDs
    /// One at a time, since a search holds the ids of all rows about a person, who may have millions of events.
    private let searches = Turns<AllCallers>(
        mostWaiting: 64, refusal: "Too many searches for personal data are waiting; please try again.")

    package init(storage: any Database, caches: AppCaches, publicIDs: PublicIDs) {
        self.storage = storage
        self.caches = caches
        self.publicIDs = publicIDs
    }

    /// Returns the identity of a scope by its developer's id, its reference or its identity token. Fails with `notFound`.
    package func identity(_ reference: String, in scope: Scope) async throws -> Identity {
        let token: Identity.ID? = publicIDs.id(named: reference)
        // First, so that a user whom a stranger gives such a name does not hide the one with the reference.
        let isReference = reference.hasPrefix(Identity.referencePrefix)
        let found = try await storage.read { reader in
            let byName = isReference ? nil : try reader.identity(reference, in: scope)
            return try byName ?? token.flatMap { try reader.identity($0) } ?? reader.identity(reference, in: scope)
        }
        guard let found, found.scope == scope else { throw Failure.notFound("There is no user \(reference) in this app.") }
        return found
    }

    /// Returns an identity's devices and totals.
    package func summary(of identity: Identity) async throws -> IdentitySummary {
        // Counts all sessions, of which a user may have any number.
        try await storage.analyze(identity.scope) { try $0.summary(of: identity) }
    }

    /// Returns what happened to an identity, newest first.
    package func timeline(of identity: Identity) async throws -> IdentityTimeline {
        try await storage.analyze(identity.scope) { try IdentityTimeline(of: identity, from: $0) }
    }

    /// Erases an identity, see ``erase(_:in:onStep:)``, and purges the database's files.
    package func erase(_ identity: Identity, onStep: @Sendable (ErasureStep) -> Void = { _ in }) async throws -> ErasureReport {
        let data = try await erase([identity.id], in: identity.scope, onStep: onStep)
        onStep(.log)
        return ErasureReport(data: data, isLogEmpty: try await storage.purgeWriteAheadLog())
    }

    /// Erases data subjects of one scope, found by one search for all of them: removes the rows about them, and the fields that link
    /// other rows to them. Totals stay.
    ///
    /// Works in batches, in an order that allows an interrupted erasure to be repeated: rows by which other rows are found are erased after
    /// them, devices and sessions late, the requested identities last. A second search finds the rows written in the meantime. Ends
    /// between two batches if the task is cancelled.
    ///
    /// - Parameter onStep: called before each step.
    /// - Returns: the rows that the first search found.
    @discardableResult
    func erase(
        _ identities: [Identity.ID], in scope: Scope, onStep: @Sendable (ErasureStep) -> Void = { _ in }
    ) async throws -> PersonalData {
        let data = try await find(identities, in: scope) { onStep(.search($0)) }
        try await forgetRequests(about: data)
        onStep(.erasure(rows: data.rowCount))
        try await erase(data)
        let late = try await find(identities, in: scope, since: data) { onStep(.secondSearch($0)) }
        onStep(.erasure(rows: late.rowCount))
        try await erase(late)
        caches.erase(scope.app)
        return data
    }

    /// Finds the rows of data subjects, see ``PersonalDataSearch``, when no other search is running.
    func find(
        _ identities: [Identity.ID], in scope: Scope, since earlier: PersonalData? = nil,
        onKind: @Sendable (PersonalDataKind) -> Void = { _ in }
    ) async throws -> PersonalData {
        try await searches.run {
            try await PersonalDataSearch(storage: storage, scope: scope).data(
                of: identities, since: earlier, publicIDs, onKind: onKind)
        }
    }

    /// Removes the data subject's names from completed privacy requests, under whichever name they refer to it. Looks nothing up for each name:
    /// an app may have thousands of requests, each with a hundred.
    private func forgetRequests(about data: PersonalData) async throws {
        let names = try await storage.read { reader in
            Set(try data.requested.compactMap { try reader.identity($0)?.developerIdentity }.map(BytewiseText.init))
        }
        try await storage.forEachCompletedSubjectRequest(of: data.scope) { request in
            guard request.subjects.contains(where: { data.isNamed(by: $0, names, publicIDs) }) else { return }
            try await storage.write { try $0.forgetSubjects(of: request.id) }
        }
    }

    private func erase(_ data: PersonalData) async throws {
        guard let person = data.requested.last else { return }
        // The audit log records that an identity was erased, and not which rows were about it.
        try await OperatorCall.$current.withValue(nil) { try await eraseRows(of: data, person) }
        for identity in data.requested {
            try Task.checkCancellation()
            try await erase(identity)
        }
    }

    private func eraseRows(of data: PersonalData, _ person: Identity.ID) async throws {
        // Some devices are found only by their sessions, which are erased earlier. Assigning the devices keeps them findable.
        try await forEachBatch(data.devices.ids) { transaction, batch in
            try batch.forEach { try transaction.assign(person, to: $0) }
        }
        try await eraseRequests(of: data)
        try await eraseCredits(data)
        try await eraseReferrals(data)
        try await erase(.events, data.messageEvents)
        try await erase(.textMessages, data.textMessages.subtracting(data.followedMessages))
        try await erase(.textMessages, data.followedMessages)
        try await eraseDeviceClicks(of: data)
        try await eraseComparisons(of: data)
        try await erase(.clicks, data.clicks)
        try await forEachBatch(data.browsers.union(data.guessedBrowsers).ids) { try $0.erase(browsers: $1, in: data.scope) }
        try await eraseAddresses(of: data)
        try await erase(.events, data.events)
        try await erase(.links, data.links)
        for identity in data.identities.filter({ !data.requested.contains($0) }).ids { try await erase(identity) }
        try await erase(.sessions, data.sessions)
        try await erase(.devices, data.devices)
    }

    /// Erases the data subject from the ledger. The accounts are moved last, because the transactions are found by them.
    private func eraseCredits(_ data: PersonalData) async throws {
        let tombstones: [Identity.ID: Identity.ID] = try await storage.write { transaction in
            Dictionary(uniqueKeysWithValues: try data.credits.holders.ids.map { ($0, try transaction.newID(Identity.self)) })
        }
        try await eraseUniquenessKeys(of: data)
        try await forEachBatch(data.credits.transactions.ids) { transaction, batch in
            for id in batch {
                guard let cause = try transaction.creditTransaction(id)?.cause else { continue }
                try transaction.replaceCause(of: id, by: data.erased(cause, tombstones))
            }
        }
        // There may be a thousand rules, each with a count for a day.
        try await forEachBatch(data.identities.ids, of: 5) { transaction, batch in
            for identity in batch {
                if let tombstone = tombstones[identity] { try transaction.moveCreditAccounts(of: identity, to: tombstone) }
                try transaction.eraseRewardCounts(of: identity)
            }
        }
    }

    private func eraseReferrals(_ data: PersonalData) async throws {
        try await erase(.heldRewards, data.heldRewards)
        try await forEachBatch(data.othersHeldRewards.ids) { try $1.forEach($0.forgetParty(of:)) }
        try await erase(.referralCodes, data.referralCodes)
        try await erase(.referrals, data.referrals)
        try await forEachBatch(data.referredIdentities.ids) { try $1.forEach($0.forgetReferrer(of:)) }
    }

    // MARK: Rows without an id

    /// Erases the remembered calls that created the data subject's rows. Keys of other calls reveal nothing, since they are hashed.
    private func eraseRequests(of data: PersonalData) async throws {
        try await eraseAll(of: data) {
            try $0.requests(of: data.scope, after: $1?.key ?? "", limit: $2)
        } where: {
            data.created($0.row)
        } by: {
            try $0.eraseRequests($1.map(\.key), in: data.scope)
        }
    }

    private func eraseDeviceClicks(of data: PersonalData) async throws {
        try await eraseAll(of: data) {
            try $0.deviceClicks(of: data.scope, after: $1, limit: $2)
        } where: {
            data.isAbout($0)
        } by: {
            try $0.eraseDeviceClicks($1, in: data.scope)
        }
    }

    private func eraseAddresses(of data: PersonalData) async throws {
        try await eraseAll(of: data) {
            try $0.deviceAddresses(of: data.scope, after: $1, limit: $2)
        } where: {
            data.devices.contains($0.device)
        } by: {
            try $0.erase($1, in: data.scope)
        }
    }

    private func eraseUniquenessKeys(of data: PersonalData) async throws {
        try await eraseAll(of: data) {
            try $0.uniquenessKeys(of: data.scope, after: $1?.text ?? "", limit: $2)
        } where: {
            data.owns($0)
        } by: {
            try $0.eraseUniquenessKeys($1.map(\.text), in: data.scope)
        }
    }

    /// Erases the wanted elements of a list while it is read, since there may be millions.
    private func eraseAll<Element: Sendable>(
        of data: PersonalData, _ next: @escaping @Sendable (any DatabaseReader, Element?, Int) throws -> [Element],
        where isWanted: (Element) -> Bool, by erase: @escaping @Sendable (any DatabaseTransaction, [Element]) throws -> Void
    ) async throws {
        try await PersonalDataSearch(storage: storage, scope: data.scope).forEachPage(next) { page in
            try await forEachBatch(page.filter(isWanted), erase)
        }
    }

    // MARK: Batches

    private func erase<Entity>(_ table: PersonalTable, _ ids: Set<Identifier<Entity>>) async throws {
        try await erase(table, SortedIDs(ids))
    }

    private func erase<Entity>(_ table: PersonalTable, _ ids: SortedIDs<Entity>) async throws {
        // Such a row may have hundreds of kilobytes, which are written again or overwritten.
        let size = [.events, .sessions, .links].contains(table) ? 8 : Self.batch
        try await forEachBatch(ids.numbers, of: size) { try $0.erase(table, $1) }
    }

    /// Deletes an identity. A transaction changes only some of the sessions that it referred: their rows are large.
    private func erase(_ identity: Identity.ID) async throws {
        while try await !storage.write({ try $0.erase(identity, clearingAtMost: Self.referredSessionsPerBatch) }) {
            try Task.checkCancellation()
        }
    }

    package static let referredSessionsPerBatch = 50
    private static let batch = 200

    /// Writes in small batches, so that other writers do not wait long.
    func forEachBatch<Element: Sendable>(
        _ elements: some Collection<Element>, of size: Int = IdentityDataService.batch,
        _ write: @escaping @Sendable (any DatabaseTransaction, [Element]) throws -> Void
    ) async throws {
        let elements = Array(elements)
        for start in stride(from: 0, to: elements.count, by: size) {
            try Task.checkCancellation()
            let batch = Array(elements[start..<min(start + size, elements.count)])
            try await storage.write { try write($0, batch) }
        }
    }
}
