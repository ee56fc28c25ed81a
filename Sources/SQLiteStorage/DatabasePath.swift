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

    /// Fails with `invalid` if the file is there and has 0 bytes, as after a failed copy: a server that began a new installation in it would
    /// hide that the old one is lost.
    static func checkContent(_ path: String) throws {
        // Another process may be making the database at this moment.
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
