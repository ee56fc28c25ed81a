import Crypto
import Foundation
import LindenKernel
import LindenReporting
import LinkRouting

/// A destination of an export's bytes.
protocol ExportSink: AnyObject {
    /// Writes the next bytes.
    ///
    /// - Parameter cursor: the position of the export after these bytes.
    func write(_ bytes: [UInt8], upTo cursor: ExportCursor) throws
    /// Completes the output.
    ///
    /// - Returns: the manifest: the export's request and totals, and the hash of the bytes.
    func finish(_ cursor: ExportCursor) throws -> JSONObject
}

/// An export to the standard output.
final class ExportStream: ExportSink {
    private let compression: Compression
    private var hash = SHA256()

    init(compression: Compression) {
        self.compression = compression
    }

    func write(_ bytes: [UInt8], upTo cursor: ExportCursor) throws { try put(compression.compress(bytes)) }

    func finish(_ cursor: ExportCursor) throws -> JSONObject {
        try put(compression.finish())
        return (["sha256": .string(Hex.encode(hash.finalize()))] as JSONObject).merging(cursor.manifest)
    }

    private func put(_ bytes: [UInt8]) throws {
        hash.update(data: bytes)
        try FileHandle.standardOutput.write(contentsOf: Data(bytes))
    }
}
