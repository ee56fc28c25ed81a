import Foundation
import Synchronization

/// A lookup of facts about IP networks in an operator's file in MaxMind's DB format (https://maxmind.github.io/MaxMind-DB/).
package final class NetworkDatabase<Value: Sendable>: Sendable {
    private struct State {
        var file: NetworkFile<Value>
        var version: FileVersion?
    }

    private let path: String
    private let fact: NetworkFact<Value>
    private let state: Mutex<State>

    /// Opens the file. Throws ``NetworkFileError``.
    package init(path: String, of fact: NetworkFact<Value>) throws {
        self.path = path
        self.fact = fact
        let version = FileVersion(path)
        state = Mutex(State(file: try NetworkFile(path: path, of: fact), version: version))
    }

    /// Returns the file's value for the network of an address; nil if the file has none.
    ///
    /// - Parameter address: 4 or 16 bytes in network order.
    package func value(of address: [UInt8]) -> Value? {
        state.withLock { $0.file }.value(of: address)
    }

    /// Reopens the file if it was replaced or changed since the last check; returns whether it was. Throws ``NetworkFileError`` if the new
    /// file cannot be used, once per change, and keeps using the old one.
    package func refresh() throws -> Bool {
        let version = FileVersion(path)
        let hasChanged = state.withLock { state in
            defer { state.version = version }
            return state.version != version
        }
        guard hasChanged else { return false }
        let file = try NetworkFile(path: path, of: fact)
        state.withLock { $0.file = file }
        return true
    }
}

/// The identity of a file's contents: inode number, size and modification time.
private struct FileVersion: Equatable {
    private let number: Int?
    private let size: Int?
    private let changedAt: Date?

    /// Nil if there is no file.
    init?(_ path: String) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
        number = attributes[.systemFileNumber] as? Int
        size = attributes[.size] as? Int
        changedAt = attributes[.modificationDate] as? Date
    }
}
