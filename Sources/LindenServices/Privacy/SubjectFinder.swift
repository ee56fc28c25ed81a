import Linden
import LindenKernel
import LindenReporting

/// Finds the identities that the ids of a privacy request stand for.
///
/// An id of a device or browser is looked up as a public id, then as a hardware id, then as an advertising id, and at last as the id of a
/// browser beside an installation. Ids that are unknown, or known in another scope only, are skipped.
struct SubjectFinder: Sendable {
    let storage: any Database
    let publicIDs: PublicIDs

    /// Returns each identity once, in the order of the ids.
    func identities(of subjects: [DataSubject], in scope: Scope) async throws -> [Identity] {
        try await storage.read { [publicIDs] reader in
            let lookup = SubjectLookup(reader: reader, publicIDs: publicIDs)
            var found: [Identity] = []
            for subject in subjects {
                guard let identity = try lookup.identity(of: subject, in: scope), identity.scope == scope,
                    !found.contains(where: { $0.id == identity.id })
                else { continue }
                found.append(identity)
            }
            return found
        }
    }
}

/// Looks up data subjects within one read.
private struct SubjectLookup {
    let reader: any IdentityReader & DeviceReader & BrowserReader
    let publicIDs: PublicIDs

    func identity(of subject: DataSubject, in scope: Scope) throws -> Identity? {
        switch subject.kind {
        case .developer: return try reader.identity(subject.value, in: scope)
        case .user: return try publicIDs.id(for: subject.value).flatMap { try reader.identity($0) }
        case .device, .browser:
            let token: Device.ID? = publicIDs.id(for: subject.value)
            let device =
                try token.flatMap { try reader.device($0) } ?? reader.device(hardwareID: subject.value, in: scope)
                ?? reader.device(advertisingID: subject.value, in: scope)
                ?? token.flatMap { try reader.app(beside: $0, in: scope) }.flatMap { try reader.device($0) }
            return try device.flatMap { $0.scope == scope ? try reader.identity($0.identity) : nil }
        }
    }
}
