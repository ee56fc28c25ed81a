#if Gzip
    import Gzip
#else
    import LindenKernel
#endif

/// A gzip compressor, or a pass-through if no compression is requested.
final class Compression {
    #if Gzip
        private let gzip: GzipWriter?

        init(_ isWanted: Bool) throws {
            gzip = isWanted ? GzipWriter() : nil
        }

        func compress(_ bytes: [UInt8]) throws -> [UInt8] { try gzip?.compress(bytes[...]) ?? bytes }
        func finish() throws -> [UInt8] { try gzip?.finish() ?? [] }
    #else
        init(_ isWanted: Bool) throws {
            if isWanted { throw Failure.unusable("This program was built without gzip (the trait Gzip).") }
        }

        func compress(_ bytes: [UInt8]) throws -> [UInt8] { bytes }
        func finish() throws -> [UInt8] { [] }
    #endif
}
