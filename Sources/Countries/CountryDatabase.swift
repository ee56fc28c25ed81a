import Foundation
import Synchronization

/// Which country a network address is in, by a file in MaxMind's format (https://maxmind.github.io/MaxMind-DB/) whose entries are those of
/// GeoLite2-Country and GeoLite2-City.
package final class CountryDatabase: Sendable {
    private struct State {
        var file: CountryFile
        var version: FileVersion?
    }

    private let path: String
    private let state: Mutex<State>

    /// Fails with a ``CountryFileError``.
    package init(path: String) throws {
        self.path = path
        let version = FileVersion(path)
        state = Mutex(State(file: try CountryFile(path: path), version: version))
    }

    /// An ISO 3166 code of two letters, upper case; nil if the file does not know.
    ///
    /// - Parameter address: 4 or 16 bytes in network order.
    package func country(of address: [UInt8]) -> String? {
        state.withLock { $0.file }.country(of: address)
    }

    /// Goes on with what lies at the path now, if that is another file than before, and tells whether it was. If the new one cannot be
    /// used, fails with a ``CountryFileError``, once, and stays with the old one.
    package func refresh() throws -> Bool {
        let version = FileVersion(path)
        let hasChanged = state.withLock { state in
            defer { state.version = version }
            return state.version != version
        }
        guard hasChanged else { return false }
        let file = try CountryFile(path: path)
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
