import Crypto
import Foundation
import Linden

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
    private let packing: Packing
    private var hash = SHA256()

    init(packing: Packing) {
        self.packing = packing
    }

    func write(_ bytes: [UInt8], upTo cursor: ExportCursor) throws { try put(packing.pack(bytes)) }

    func finish(_ cursor: ExportCursor) throws -> JSONObject {
        try put(packing.finish())
        return (["sha256": .string(hash.finalize().hexadecimal)] as JSONObject).merging(cursor.manifest)
    }

    private func put(_ bytes: [UInt8]) throws {
        hash.update(data: bytes)
        try FileHandle.standardOutput.write(contentsOf: Data(bytes))
    }
}

extension SHA256.Digest {
    var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
