import Linden
import LindenKernel
import LinkRouting
import Synchronization

/// A cache of hosts' association files: any client may request them, and the file of a host that many apps share is large. Evicts only
/// files that were not requested lately.
package final class AssociationDirectory: Sendable {
    /// The key of a file. The host is compared by its bytes, as in the database: any client may send one that is no ASCII.
    private struct Key: Hashable {
        let host: [UInt8]
        let kind: AssociationFile.Kind
    }

    /// A file that is being made, from what is stored since the cache's ticket.
    private struct Making: Hashable {
        let key: Key
        let ticket: Cache<TwoGenerationCache<Key, AssociationFile>>.Ticket
    }

    /// The maximum number of cached files.
    private static let capacity = 1000

    private let storage: any Storage
    private let baseURL: BaseURL
    private let cache: Cache<TwoGenerationCache<Key, AssociationFile>>
    private let making = Mutex<[Making: Task<AssociationFile?, any Error>]>([:])

    package init(storage: any Storage, baseURL: BaseURL) {
        self.storage = storage
        self.baseURL = baseURL
        cache = Cache(empty: TwoGenerationCache(capacity: AssociationDirectory.capacity), storage: storage)
    }

    /// Returns a file of a host; nil for a host without links of this installation. It is made once for all who wait for it: the file of a
    /// host that many apps share takes tens of milliseconds.
    package func file(_ kind: AssociationFile.Kind, of host: String) async throws -> AssociationFile? {
        let key = Key(host: Array(host.utf8), kind: kind)
        if let file = cache.lookUp({ $0.value(for: key) }) { return file }
        let begun = Making(key: key, ticket: cache.ticket)
        let task = making.withLock { making in
            if let task = making[begun] { return task }
            // Not ended with the request that began it: others may wait, too.
            let task = Task { [self] in
                defer { _ = self.making.withLock { $0.removeValue(forKey: begun) } }
                return try await make(begun, host)
            }
            making[begun] = task
            return task
        }
        return try await task.value
    }

    private func make(_ begun: Making, _ host: String) async throws -> AssociationFile? {
        guard let files = try await files(of: host) else { return nil }
        let file = AssociationFile(files.json(begun.key.kind))
        cache.insert(begun.ticket) { $0.insert(file, for: begun.key) }
        return file
    }

    /// Returns the contents of a host's files as currently stored, without the cache.
    package func files(of host: String) async throws -> AssociationFiles? {
        try await storage.read { [baseURL] reader in try reader.associationFiles(of: host, baseURL) }
    }

    /// Clears the cache. Must be called after this process changed apps or domains.
    package func invalidate() {
        cache.clear()
    }
}

/// An association file as it is served.
package struct AssociationFile: Sendable {
    package enum Kind: Hashable, Sendable {
        case apple(AssociationFiles.Shape)
        case android
    }

    package let bytes: [UInt8]
    /// The entity tag: the start of the SHA-256 hash of the contents, in hexadecimal digits.
    package let tag: String

    init(_ json: JSON) {
        bytes = json.bytes
        tag = Hex.encode(Secret.hash(String(decoding: bytes, as: UTF8.self)).prefix(8))
    }
}
