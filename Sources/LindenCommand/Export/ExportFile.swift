import Crypto
import Foundation
import LindenKernel
import LindenReporting
import LinkRouting

/// An export to a file. Bytes go to `FILE.partial`, and `FILE.partial.json` records how many of them are synced and the checkpoint they
/// reach, so that an interrupted export can be resumed. The file gets its final name once it is complete and its manifest is written.
final class ExportFile: ExportSink {
    private static let noteEvery: Int64 = 100_000

    /// The path of the incomplete export of a file.
    static func partialPath(of path: String) -> String { path + ".partial" }

    private let path: String
    private let asked: JSON
    private let compression: Compression
    private let file: FileHandle
    private var hash = SHA256()
    private var size: UInt64 = 0
    private var notedRows: Int64 = 0

    /// Opens the partial file for writing, at its recorded size if the export is resumed.
    ///
    /// - Parameters:
    ///   - asked: the options of the export; the partial file of an export with other options is rejected.
    ///   - cursor: advanced to the recorded checkpoint if the export is resumed.
    init(path: String, asked: JSON, isResumed: Bool, compression: Compression, _ cursor: inout ExportCursor) throws {
        self.path = path
        self.asked = asked
        self.compression = compression
        let partial = Self.partialPath(of: path)
        let note = isResumed ? try Self.note(beside: partial, asked) : nil
        if note == nil {
            try? FileManager.default.removeItem(atPath: partial + ".json")
            try PrivateFile.create(partial)
        }
        guard let file = FileHandle(forUpdatingAtPath: partial) else { throw Failure.unusable("\(partial) cannot be written.") }
        self.file = file
        guard let note else { return }
        try file.truncate(atOffset: note.size)
        try file.seek(toOffset: 0)
        while let bytes = try file.read(upToCount: 1 << 20), !bytes.isEmpty { hash.update(data: bytes) }
        (size, notedRows) = (note.size, note.rows)
        cursor.resume(at: note.checkpoint, rows: note.rows)
    }

    func write(_ bytes: [UInt8], upTo cursor: ExportCursor) throws {
        try put(compression.compress(bytes))
        guard cursor.rows - notedRows >= Self.noteEvery else { return }
        try put(compression.finish())
        try file.synchronize()
        notedRows = cursor.rows
        let note: JSON = [
            "asked": asked, "size": .integer(Int64(size)), "rows": .integer(cursor.rows),
            "checkpoint": .string(cursor.checkpoint.text),
        ]
        try Data(note.bytes).write(to: URL(fileURLWithPath: Self.partialPath(of: path) + ".json"), options: .atomic)
    }

    func finish(_ cursor: ExportCursor) throws -> JSONObject {
        try put(compression.finish())
        try file.synchronize()
        try file.close()
        let members: JSONObject = ["bytes": .integer(Int64(size)), "sha256": .string(Hex.encode(hash.finalize()))]
        let manifest = members.merging(cursor.manifest)
        try PrivateFile.write(JSON.object(manifest).bytes, to: path + ".manifest.json")
        do {
            try PrivateFile.move(Self.partialPath(of: path), to: path)
        } catch {
            unlink(path + ".manifest.json")
            throw error
        }
        unlink(Self.partialPath(of: path) + ".json")
        return manifest
    }

    private func put(_ bytes: [UInt8]) throws {
        guard !bytes.isEmpty else { return }
        hash.update(data: bytes)
        try file.write(contentsOf: Data(bytes))
        size += UInt64(bytes.count)
    }

    /// Returns the recorded progress of a partial file; nil if there is none, in which case the export starts from the beginning.
    private static func note(beside partial: String, _ asked: JSON) throws -> (
        size: UInt64, rows: Int64, checkpoint: ExportCheckpoint
    )? {
        guard let bytes = FileManager.default.contents(atPath: partial + ".json") else { return nil }
        guard let note = try JSON.parse(Array(bytes)).object, let size = note["size"]?.int64, let rows = note["rows"]?.int64,
            let checkpoint = note["checkpoint"]?.string
        else { throw Failure.unusable("\(partial).json cannot be read; export without --resume.") }
        guard note["asked"] == asked else {
            throw Failure.unusable("\(partial) is of an export with other options; use the same ones, or export without --resume.")
        }
        return (UInt64(size), rows, try ExportCheckpoint(checkpoint))
    }
}
