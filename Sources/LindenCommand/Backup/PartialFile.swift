import Foundation
import LindenKernel
import SQLiteStorage

/// A file that gets its name only once it is complete and on the disk. Until then it is `NAME.partial`, with permissions 0600.
///
/// A lock on the partial file excludes a second writer. The kernel releases it when its process dies, so the next writer reuses what a killed
/// one left.
final class PartialFile {
    let path: String
    private let descriptor: CInt

    /// Opens an empty file beside the one that it will become. Fails with `conflict` if another process is writing it.
    init(for name: String) throws {
        path = name + ".partial"
        descriptor = try Self.openLocked(path)
    }

    deinit {
        close(descriptor)
    }

    /// Brings the file to the disk and gives it its name. Fails with `conflict` if there is a file of that name.
    func complete(as name: String) throws {
        guard fsync(descriptor) == 0 else { throw Failure.unusable("\(path) cannot be written: \(Self.reason).") }
        // Unlike rename, link replaces no file; some file systems have no links.
        if link(path, name) == 0 {
            unlink(path)
        } else {
            guard errno != EEXIST, access(name, F_OK) != 0 else { throw Failure(.conflict, "\(name) exists already.") }
            guard rename(path, name) == 0 else { throw Failure.unusable("\(name) cannot be written: \(Self.reason).") }
        }
        Self.synchronizeFolder(of: name)
    }

    /// Brings what was written so far to the disk. The system reports an error of the disk once only, so ``complete(as:)`` would not see it.
    func flush() throws {
        guard fdatasync(descriptor) == 0 else { throw Failure.unusable("\(path) cannot be written: \(Self.reason).") }
    }

    func remove() {
        unlink(path)
    }

    private static func openLocked(_ path: String) throws -> CInt {
        while true {
            let descriptor = OwnedFile.open(path, O_RDWR | O_NOFOLLOW)
            guard descriptor >= 0 else { throw Failure.unusable("\(path) cannot be written: \(reason).") }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                throw Failure(.conflict, "\(path) is being written by another process.")
            }
            // The file may have been completed or removed between the two calls.
            if isFile(descriptor, at: path), fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 { return descriptor }
            close(descriptor)
        }
    }

    private static func isFile(_ descriptor: CInt, at path: String) -> Bool {
        var (opened, named) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0, stat(path, &named) == 0 else { return false }
        return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }

    private static func synchronizeFolder(of name: String) {
        let folder = (name as NSString).deletingLastPathComponent
        let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
