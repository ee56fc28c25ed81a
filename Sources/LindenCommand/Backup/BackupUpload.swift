import Foundation
import LindenKernel
import OutgoingHTTP

/// Copies of backups in a bucket of Amazon S3, or of a server compatible with it.
struct BackupUpload: Sendable {
    let bucket: S3Bucket

    /// A part is in memory while it is sent. S3 takes 10,000 parts at most, so a file may have 160 GB.
    private static let partBytes = 16 << 20

    /// Uploads a backup under its file name, unless it is there with its size. Fails with `unavailable` and the reason.
    ///
    /// - Parameter progress: called with the bytes that are sent.
    func upload(_ backup: BackupFolder.Backup, progress: @Sendable (Int64) -> Void = { _ in }) async throws {
        let name = (backup.path as NSString).lastPathComponent
        guard try await !bucket.has(name, bytes: backup.bytes) else { return }
        var offset: Int64 = 0
        try await bucket.upload(name) {
            let part = try await BackgroundThread.run { [offset] in try Self.part(of: backup.path, at: offset) }
            progress(offset)
            offset += Int64(Self.partBytes)
            return part
        }
    }

    private static func part(of path: String, at offset: Int64) throws -> S3Bucket.Part? {
        guard let file = FileHandle(forReadingAtPath: path) else { throw Failure.unusable("The backup \(path) cannot be read.") }
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(offset))
        guard let bytes = try file.read(upToCount: partBytes), !bytes.isEmpty else { return nil }
        return S3Bucket.Part(Array(bytes))
    }
}
