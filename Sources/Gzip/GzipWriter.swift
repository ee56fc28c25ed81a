import CZlib

/// A streaming gzip compressor (RFC 1952).
package final class GzipWriter {
    /// The zlib compression level: faster by half than the default level 6, with an output that is a few percent larger.
    private static let level: Int32 = 4

    private var stream = z_stream()
    private var isBegun = false

    package init() {}

    deinit {
        if isBegun { deflateEnd(&stream) }
    }

    /// Compresses `bytes` and returns the output that is ready so far, which may be empty.
    package func compress(_ bytes: ArraySlice<UInt8>) throws -> [UInt8] {
        try begin()
        return try run(bytes, Z_NO_FLUSH)
    }

    /// Ends the gzip member and returns the rest of the output. A later `compress` begins a new member; gzip readers concatenate members into
    /// one file.
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

    private func run(_ bytes: ArraySlice<UInt8>, _ flush: Int32) throws -> [UInt8] {
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        try bytes.withUnsafeBufferPointer { input in
            // zlib only reads it.
            stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
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

/// An error of zlib, which fails only for lack of memory here.
package struct GzipError: Error, CustomStringConvertible {
    package var description: String { "The bytes could not be compressed: there is not enough memory." }
}
