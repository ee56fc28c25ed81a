import Foundation
import LindenKernel

/// A file with personal data, readable by its owner only (mode 0600).
enum PrivateFile {
    /// Creates an empty file, replacing any file at the path.
    static func create(_ path: String) throws {
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure.unusable("\(path) cannot be written.") }
        close(descriptor)
    }

    /// Writes a file atomically: to `path.tmp`, then renamed.
    static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
        // Not FILE.partial, which may hold an interrupted export.
        let temporary = path + ".tmp"
        try create(temporary)
        do {
            guard let file = FileHandle(forWritingAtPath: temporary) else {
                throw Failure.unusable("\(temporary) cannot be written.")
            }
            try file.write(contentsOf: Data(bytes))
            try file.synchronize()
            try file.close()
            try move(temporary, to: path)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    static func move(_ path: String, to name: String) throws {
        guard rename(path, name) == 0 else { throw Failure.unusable("\(name) cannot be written.") }
    }
}
