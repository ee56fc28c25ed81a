import Linden
import LindenKernel
import LindenReporting

/// Finds the identities that the ids of a privacy request stand for.
///
/// An id of a device or browser is looked up as a reference or public id, then as a hardware or advertising id, and at last as the id of a browser
/// beside an installation. Ids that are unknown, or known in another scope only, are skipped. A hardware or advertising id stands for the users
/// of all devices that reported it as either: a reinstalled app is another device, and anybody can report another's id.
struct SubjectFinder: Sendable {
    let storage: any Database
    let publicIDs: PublicIDs

    /// Returns each identity once, in the order of the ids.
    func identities(of subjects: [DataSubject], in scope: Scope) async throws -> [Identity.ID] {
        // An advertising id may stand for thousands of devices, so it is a question of many rows.
        try await storage.analyze(scope) { [publicIDs] reader in
            let lookup = SubjectLookup(reader: reader, publicIDs: publicIDs)
            var (found, seen, asked) = ([Identity.ID](), Set<Identity.ID>(), Set<DataSubject>())
            for subject in subjects where asked.insert(subject).inserted {
                for id in try lookup.identities(of: subject, in: scope) where seen.insert(id).inserted {
                    if try reader.identity(id)?.scope == scope { found.append(id) }
                }
            }
            return found
        }
    }

    /// Returns identities as data subjects: by their names, or by references if they are anonymous.
    func named(_ identities: [Identity.ID]) async throws -> [DataSubject] {
        try await storage.read { [publicIDs] reader in
            try identities.map { id in
                try reader.identity(id)?.developerIdentity.map { DataSubject(kind: .developer, value: $0) }
                    ?? DataSubject(kind: .user, value: publicIDs.reference(to: id))
            }
        }
    }

    /// Returns the identities of an access request, see ``named(_:)``, without those that were anonymous when it was made and have a name by
    /// now: it may be another person's.
    func identitiesAsAsked(of request: SubjectRequest) async throws -> [Identity.ID] {
        let names = request.subjects.filter { $0.kind == .developer }
        let anonymous = try await identities(of: request.subjects.filter { $0.kind != .developer }, in: request.scope)
        return try await identities(of: names, in: request.scope)
            + storage.read { reader in try anonymous.filter { try reader.identity($0)?.developerIdentity == nil } }
    }

    /// Returns identities as data subjects.
    func subjects(_ identities: some Sequence<Identity.ID>) -> [DataSubject] {
        identities.map { DataSubject(kind: .user, value: publicIDs.reference(to: $0)) }
    }

    /// Returns data subjects by all ids that may name them: requests name an identity or a device by its reference or by its credential.
    func spellings(of subjects: [DataSubject]) -> Set<DataSubject> {
        Set(
            subjects.flatMap { subject in
                let (kind, text) = (subject.kind, subject.value)
                let others =
                    switch kind {
                    case .developer: [String]()
                    case .user: spellings(of: publicIDs.id(named: text, of: Identity.self))
                    case .device, .browser: spellings(of: publicIDs.id(named: text, of: Device.self))
                    }
                return ([text] + others).map { DataSubject(kind: kind, value: $0) }
            })
    }

    private func spellings<Entity: ReferencedEntity>(of id: Identifier<Entity>?) -> [String] {
        id.map { [publicIDs.reference(to: $0), publicIDs.string(for: $0)] } ?? []
    }
}

/// Looks up data subjects within one read.
private struct SubjectLookup {
    let reader: any IdentityReader & DeviceReader & BrowserReader
    let publicIDs: PublicIDs

    func identities(of subject: DataSubject, in scope: Scope) throws -> [Identity.ID] {
        switch subject.kind {
        case .developer: try [reader.identity(subject.value, in: scope)?.id].compactMap { $0 }
        case .user: [publicIDs.id(named: subject.value)].compactMap { $0 }
        case .device, .browser:
            try identities(ofDevice: subject.value, in: scope)
        }
    }

    private func identities(ofDevice id: String, in scope: Scope) throws -> [Identity.ID] {
        let token: Device.ID? = publicIDs.id(named: id)
        if let device = try token.flatMap({ try reader.device($0) }) { return device.scope == scope ? [device.identity] : [] }
        // Systems write advertising ids in capital or in small letters.
        let reported = try Set([id, id.lowercased(), id.uppercased()])
            .reduce(into: Set<Identity.ID>()) { $0.formUnion(try reader.identities(ofDevicesThatReported: $1, in: scope)) }
        guard reported.isEmpty else { return reported.sorted() }
        let app = try token.flatMap { try reader.app(beside: $0, in: scope) }
        guard let app, !app.isGuessed else { return [] }
        return try reader.device(app.device).map { $0.scope == scope ? [$0.identity] : [] } ?? []
    }
}
