import Foundation

/// Files beside a database, with permissions 0600. One that root creates belongs to the owner of its folder: otherwise a command that root
/// runs would leave files that the server's user cannot open.
package enum OwnedFile {
    /// Opens a file, which is created if it does not exist. Returns its descriptor, or a negative number with `errno`.
    package static func open(_ path: String, _ flags: Int32) -> Int32 {
        let created = create(path, flags)
        return created >= 0 || errno != EEXIST ? created : Foundation.open(path, flags | O_CREAT | O_CLOEXEC, 0o600)
    }

    /// Creates a file. Returns its descriptor, or a negative number with `errno`: `EEXIST` if there is one, or a link of that name.
    package static func create(_ path: String, _ flags: Int32) -> Int32 {
        let descriptor = Foundation.open(path, flags | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        // Only what was created here is given away: the folder's owner could have put a link to a file of root's in its place.
        if descriptor >= 0, let owner = owner(ofFolderOf: path) { _ = fchown(descriptor, owner.user, owner.group) }
        return descriptor
    }

    /// Creates a folder with permissions 0700. Returns false, with `errno`, if that fails.
    package static func createFolder(_ path: String) -> Bool {
        guard mkdir(path, 0o700) == 0 else { return false }
        if let owner = owner(ofFolderOf: path) { _ = lchown(path, owner.user, owner.group) }
        return true
    }

    /// The owner of the folder that a path is in; nil unless the process is root's and the folder is not.
    private static func owner(ofFolderOf path: String) -> (user: uid_t, group: gid_t)? {
        guard geteuid() == 0 else { return nil }
        let folder = (path as NSString).deletingLastPathComponent
        var status = stat()
        guard stat(folder.isEmpty ? "." : folder, &status) == 0, status.st_uid != 0 else { return nil }
        return (status.st_uid, status.st_gid)
    }
}
