import CZlib

/// Packs bytes in the gzip format (RFC 1952) as they come.
package final class GzipWriter {
    /// Faster than zlib's usual level by half, and larger by a few percent.
    private static let level: Int32 = 4

    private var stream = z_stream()
    private var isBegun = false

    package init() {}

    deinit {
        if isBegun { deflateEnd(&stream) }
    }

    /// What has become ready of the packed form, which may be nothing yet.
    package func pack(_ bytes: [UInt8]) throws -> [UInt8] {
        try begin()
        return try run(bytes, Z_NO_FLUSH)
    }

    /// The rest. What is packed afterwards begins a new member, which readers of gzip take as one file with the last.
    package func finish() throws -> [UInt8] {
        try begin()
        let rest = try run([], Z_FINISH)
        deflateEnd(&stream)
        isBegun = false
        return rest
    }

    private func begin() throws {
        guard !isBegun else { return }
        stream = z_stream()
        guard deflate_gzip_init(&stream, Self.level) == Z_OK else { throw GzipError() }
        isBegun = true
    }

    private func run(_ bytes: [UInt8], _ flush: Int32) throws -> [UInt8] {
        var input = bytes
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        try input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            repeat {
                try chunk.withUnsafeMutableBufferPointer { chunk in
                    stream.next_out = chunk.baseAddress
                    stream.avail_out = UInt32(chunk.count)
                    guard deflate(&stream, flush) != Z_STREAM_ERROR else { throw GzipError() }
                    output.append(contentsOf: chunk.prefix(chunk.count - Int(stream.avail_out)))
                }
            } while stream.avail_out == 0
        }
        return output
    }
}

/// zlib got no memory.
package struct GzipError: Error, CustomStringConvertible {
    package var description: String { "The bytes could not be packed: there is not enough memory." }
}
