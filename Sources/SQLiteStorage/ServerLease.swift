import Foundation
import LindenKernel

/// The exclusive right to serve a database: a lock on a file beside it.
///
/// The kernel releases the lock when its process ends, so a killed server never prevents the next one from starting. The file names the
/// holder; a second lock, taken after that was written, marks the name as the present holder's rather than a previous server's.
package final class ServerLease: Sendable {
    /// The server that holds a lease.
    package struct Holder: Sendable, Equatable {
        package let processID: Int32
        /// The address it listens on, such as `127.0.0.1:8080`.
        package let address: String
        package let baseURL: String

        package init(processID: Int32, address: String, baseURL: String) {
            self.processID = processID
            self.address = address
            self.baseURL = baseURL
        }

        fileprivate init?(_ text: String) {
            let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
            guard words.count == 3, let processID = Int32(words[0]) else { return nil }
            self.init(processID: processID, address: words[1], baseURL: words[2])
        }

        fileprivate var text: String { "\(processID) \(address) \(baseURL)\n" }
    }

    private let descriptor: Int32

    /// Acquires the lease. Fails with `conflict`, naming the holder, if another server still has it after a time.
    ///
    /// - Parameters:
    ///   - path: the database's file, which must exist.
    ///   - patience: the time in which another server may end.
    ///   - onWait: called once if the lease is not free at once.
    init(path: String, holder: Holder, patience: Duration = .zero, onWait: () -> Void = {}) throws {
        let file = DatabasePath.resolved(path) + "-server"
        descriptor = OwnedFile.open(file, O_RDWR)
        guard descriptor >= 0 else {
            throw Failure.unusable("The database \(path) cannot be served: \(file) beside it must be writable.")
        }
        guard Self.lock(descriptor, patience, onWait) else {
            let other = Self.holder(descriptor)
            close(descriptor)
            throw Failure.alreadyServed(path, by: other)
        }
        let bytes = Array(holder.text.utf8)
        ftruncate(descriptor, 0)
        pwrite(descriptor, bytes, bytes.count, 0)
        var name = NameLock.range
        _ = fcntl(descriptor, NameLock.take, &name)
    }

    deinit {
        ftruncate(descriptor, 0)
        close(descriptor)
    }

    private static func lock(_ descriptor: Int32, _ patience: Duration, _ onWait: () -> Void) -> Bool {
        let end = ContinuousClock.now + patience
        var isFirst = true
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard ContinuousClock.now < end else { return false }
            if isFirst { onWait() }
            isFirst = false
            usleep(20_000)
        }
        return true
    }

    /// Whether a server has the database at a path, whose file need not exist.
    package static func isHeld(path: String) -> Bool {
        let descriptor = open(DatabasePath.resolved(path) + "-server", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0
    }

    /// The server that holds the lease; nil if it has not written its name within a second, because it is still starting.
    private static func holder(_ descriptor: Int32) -> Holder? {
        for attempt in 0..<20 {
            if attempt > 0 { usleep(50_000) }
            var name = NameLock.range
            guard fcntl(descriptor, NameLock.test, &name) == 0, name.l_type != Int16(F_UNLCK) else { continue }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = pread(descriptor, &bytes, bytes.count, 0)
            if let holder = Holder(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)) { return holder }
        }
        return nil
    }
}

/// The lock that marks a holder's name as written: on the file's first byte, owned by the open file description rather than the process,
/// so that it ends together with the lease.
private enum NameLock {
    /// Linux's F_OFD_GETLK and F_OFD_SETLK, which Foundation does not export.
    static let test: Int32 = 36
    static let take: Int32 = 37

    static var range: flock {
        var range = flock()
        range.l_type = Int16(F_WRLCK)
        range.l_whence = Int16(SEEK_SET)
        range.l_len = 1
        return range
    }
}

extension Failure {
    fileprivate static func alreadyServed(_ path: String, by holder: ServerLease.Holder?) -> Failure {
        let server = holder.map { "the server with process id \($0.processID), which listens on \($0.address) (\($0.baseURL))" }
        return Failure(
            .conflict,
            "The database \(DatabasePath.absolute(path)) is served already, by \(server ?? "another server, which is just starting"). "
                + "Stop that server, or name another database.")
    }
}
