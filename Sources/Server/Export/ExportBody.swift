import Hummingbird
import LindenKernel
import LindenReporting
import NIOCore

#if Gzip
    import Gzip
#endif

/// A response body of a byte source, such as the rows of an export: written page by page on background threads, with back-pressure from the
/// client.
enum ExportBody {
    #if Gzip
        /// The bytes that are compressed without a pause: about a millisecond.
        private static let partBytes = 64 << 10
        static let canGzip = true
    #else
        static let canGzip = false
    #endif

    /// - Parameter slot: ended once the body is written or its client has left.
    static func body(_ source: some ByteSource, isGzipped: Bool, _ slot: Hold) throws -> ResponseBody {
        guard isGzipped else {
            return ResponseBody { writer in
                defer { slot.end() }
                try await withTaskExecutorPreference(BackgroundThreads.exports) {
                    var source = source
                    while let bytes = try await source.next() {
                        if !bytes.isEmpty { try await writer.write(ByteBuffer(bytes: bytes)) }
                    }
                }
                try await writer.finish(nil)
            }
        }
        #if Gzip
            return ResponseBody { writer in
                defer { slot.end() }
                try await withTaskExecutorPreference(BackgroundThreads.exports) {
                    var source = source
                    let gzip = GzipWriter()
                    var pace = WorkPace()
                    while let bytes = try await source.next() {
                        for start in stride(from: 0, to: bytes.count, by: partBytes) {
                            let compressed = try gzip.compress(bytes[start..<min(start + partBytes, bytes.count)])
                            if !compressed.isEmpty { try await writer.write(ByteBuffer(bytes: compressed)) }
                            await pace.pauseIfDue()
                        }
                    }
                    try await writer.write(ByteBuffer(bytes: try gzip.finish()))
                }
                try await writer.finish(nil)
            }
        #else
            throw Failure.notFound("This server was built without gzip; request the export again.")
        #endif
    }
}
