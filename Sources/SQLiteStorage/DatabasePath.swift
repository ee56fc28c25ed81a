import Foundation
import LindenKernel

/// Functions of the path of a database's file.
enum DatabasePath {
    /// The path of a database in memory.
    static let memory = ":memory:"

    /// The absolute path, for messages.
    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    /// The path with symbolic links resolved, as SQLite names its files beside the database: every process must find the same locks,
    /// whichever path it was given.
    static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// SQLite's URI of a file that no process changes (https://sqlite.org/uri.html).
    static func immutableURI(_ path: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~".utf8)
        let encoded = absolute(path).utf8.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return plain.contains(byte) ? String(UnicodeScalar(byte)) : "%" + (digits.utf8.count < 2 ? "0" : "") + digits
        }
        return "file:" + encoded.joined() + "?immutable=1"
    }

    /// Creates an empty file with permissions 0600, unless the file exists; SQLite would apply the umask. Errors are ignored: SQLite
    /// reports them in more detail.
    static func makePrivateFile(_ path: String) {
        let descriptor = OwnedFile.create(path, O_WRONLY)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Fails with `notFound` if the file does not exist.
    static func checkExistence(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw Failure.notFound(
                "There is no database at \(absolute(path)). Name another by --database or the setting storage.database; linden serve, "
                    + "linden migrate and linden apps create make a new one.")
        }
    }

    /// Fails with `unusable` if the file exists and has 0 bytes, as after a failed copy: a new installation in it would hide the loss of
    /// the old one.
    static func checkContent(_ path: String) throws {
        // Another process may be creating the database; it has one second.
        for _ in 0..<10 {
            guard isEmpty(path) else { return }
            usleep(100_000)
        }
        throw Failure.unusable(
            "\(absolute(path)) is not a database of Linden: it is empty (0 bytes). Restore it from a backup if it held one, or run linden "
                + "migrate to begin a new installation in it.")
    }

    private static func isEmpty(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
