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

        init(_ kind: AssociationFile.Kind, of host: String) {
            self.host = Array(host.utf8)
            self.kind = kind
        }
    }

    private struct Entry: Sendable {
        let file: AssociationFile
        let host: String
        /// The apps of the host, with those that the file leaves out.
        let apps: [App.ID]
    }

    private typealias Entries = TwoGenerationCache<Key, Entry>
    private typealias Making = Task<AssociationFile?, any Error>

    /// What is made of a file.
    private struct State {
        /// Reads what was stored at the cache's ticket or later.
        var begun: (ticket: Cache<Entries>.Ticket, task: Making)?
        /// Begins once the other has ended and the pause is over.
        var waiting: Making?
        var pauseEnds: ContinuousClock.Instant?
    }

    /// The maximum number of cached files.
    private static let capacity = 1000
    /// The pause after a file was made, in times of what that took: the file of a host that a thousand apps share takes tens of milliseconds, and
    /// changes of each of them have it made again.
    private static let pause = (times: 9, most: Duration.milliseconds(300))
    private static let shortestPause = Duration.milliseconds(10)

    private let storage: any Storage
    private let baseURL: BaseURL
    private let cache: Cache<Entries>
    private let states = Mutex<[Key: State]>([:])

    package init(storage: any Storage, baseURL: BaseURL) {
        self.storage = storage
        self.baseURL = baseURL
        cache = Cache(empty: TwoGenerationCache(capacity: AssociationDirectory.capacity), storage: storage)
    }

    /// Returns a file of a host as it is now; nil for a host without links of this installation. It is made once for all who wait for it, and
    /// at most a tenth of the time unless that took longer than 33 ms.
    package func file(_ kind: AssociationFile.Kind, of host: String) async throws -> AssociationFile? {
        let key = Key(kind, of: host)
        if let entry = cache.lookUp({ $0.value(for: key) }) { return entry.file }
        return try await making(key, host).value
    }

    private func making(_ key: Key, _ host: String) -> Making {
        states.withLock { states in
            // One may have been made since it was looked up.
            if let entry = cache.lookUp({ $0.value(for: key) }) { return Making { entry.file } }
            let state = states[key, default: State()]
            if let begun = state.begun, begun.ticket == cache.ticket { return begun.task }
            if let waiting = state.waiting { return waiting }
            // Not ended with the request that began it: others may wait, too.
            let task = Making { [self] in
                _ = await state.begun?.task.result
                return try await makeAfterPause(key, host)
            }
            states[key, default: State()].waiting = task
            return task
        }
    }

    private func makeAfterPause(_ key: Key, _ host: String) async throws -> AssociationFile? {
        if let end = states.withLock({ $0[key]?.pauseEnds }) { try? await Task.sleep(until: end, clock: .continuous) }
        let ticket = begin(key)
        let start = ContinuousClock.now
        var file: AssociationFile?
        // No pause for a host without a file: anyone may ask for any number of them.
        defer { end(key, took: file == nil ? .zero : .now - start) }
        file = try await make(key, host, ticket)
        return file
    }

    private func begin(_ key: Key) -> Cache<Entries>.Ticket {
        states.withLock { states in
            let ticket = cache.ticket
            let task = states[key]?.waiting
            states[key]?.begun = task.map { (ticket, $0) }
            states[key]?.waiting = nil
            return ticket
        }
    }

    private func end(_ key: Key, took time: Duration) {
        let pause = min(time * Self.pause.times, Self.pause.most)
        states.withLock { states in
            states[key]?.begun = nil
            states[key]?.pauseEnds = pause < Self.shortestPause ? nil : .now + pause
            if states[key]?.waiting == nil, pause < Self.shortestPause { states[key] = nil }
        }
    }

    private func make(_ key: Key, _ host: String, _ ticket: Cache<Entries>.Ticket) async throws -> AssociationFile? {
        guard let files = try await files(of: host) else { return nil }
        let entry = Entry(file: AssociationFile(files.json(key.kind)), host: host, apps: files.apps.map(\.id))
        cache.insert(ticket) { $0.insert(entry, for: key) }
        return entry.file
    }

    /// Returns the contents of a host's files as currently stored, without the cache.
    package func files(of host: String) async throws -> AssociationFiles? {
        try await storage.read { [baseURL] reader in try reader.associationFiles(of: host, baseURL) }
    }

    /// Removes the files that an app is in. Must be called after this process changed settings that are in the files.
    package func invalidate(_ app: App.ID) {
        cache.change { $0.removeAll { $0.apps.contains(app) } }
    }

    /// Removes the files that an app is in or may come to be in. Must be called after this process changed on which hosts it is.
    ///
    /// - Parameter host: the host that the app has got or lost; nil for that of the base URL, on which are all apps without a domain.
    package func invalidateHosts(of app: App.ID, changed host: String?) {
        cache.change { [baseURL] in
            $0.removeAll { $0.host == baseURL.host || $0.host == host || $0.apps.contains(app) }
        }
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
