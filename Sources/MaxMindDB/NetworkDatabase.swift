import Foundation
import Synchronization

/// What the networks of addresses are known for, by a file of the operator's in MaxMind's format
/// (https://maxmind.github.io/MaxMind-DB/).
package final class NetworkDatabase<Value: Sendable>: Sendable {
    private struct State {
        var file: NetworkFile<Value>
        var version: FileVersion?
    }

    private let path: String
    private let fact: NetworkFact<Value>
    private let state: Mutex<State>

    /// Fails with a ``NetworkFileError``.
    package init(path: String, of fact: NetworkFact<Value>) throws {
        self.path = path
        self.fact = fact
        let version = FileVersion(path)
        state = Mutex(State(file: try NetworkFile(path: path, of: fact), version: version))
    }

    /// What the file says of an address; nil if it does not know.
    ///
    /// - Parameter address: 4 or 16 bytes in network order.
    package func value(of address: [UInt8]) -> Value? {
        state.withLock { $0.file }.value(of: address)
    }

    /// Goes on with what lies at the path now, if that is another file than before, and tells whether it was. If the new one cannot be
    /// used, fails with a ``NetworkFileError``, once, and stays with the old one.
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

/// By what a file is known to be another than before.
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
