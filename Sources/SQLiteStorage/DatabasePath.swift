import Foundation
import Linden

/// The path of a database's file in its several forms.
enum DatabasePath {
    /// The name for a database in memory.
    static let memory = ":memory:"

    /// The path as people can find it from anywhere.
    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    /// The path with symbolic links followed, as SQLite names its files beside the database: every process must find the same locks there,
    /// whatever it calls the database.
    static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Makes an empty file that only its owner may read, unless there is one: SQLite would make it as the umask says. An error is left to
    /// SQLite, which says more.
    static func makePrivateFile(_ path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Fails with `notFound` if there is no file.
    static func checkExistence(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw Failure.notFound(
                "There is no database at \(absolute(path)). Name another by --database or the setting storage.database; linden serve, "
                    + "linden migrate and linden apps create make a new one.")
        }
    }
}
