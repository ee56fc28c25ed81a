import Dashboard
import HTTPTypes
import Hummingbird
import Linden

#if Gzip
    import Gzip
#endif

extension DashboardAnswer {
    /// The fewest bytes of a body for which compression saves a packet on the network.
    private static let fewestCompressedBytes = 1_024

    /// Returns the body in gzip if it is text that a browser reads with GET and accepts so; nil otherwise.
    ///
    /// Answers to forms are sent as they are: they alone show secrets, and the length of a compressed page tells something about its
    /// content to a listener on the network.
    func compressedBody(for request: Request) throws -> [UInt8]? {
        #if Gzip
            guard isCompressible, request.method != .post, request.acceptsGzip else { return nil }
            let gzip = GzipWriter()
            return try gzip.compress(body[...]) + gzip.finish()
        #else
            return nil
        #endif
    }

    /// Whether the body can be sent in gzip, and so depends on `Accept-Encoding`.
    var isCompressible: Bool { contentType.hasPrefix("text/") && body.count >= Self.fewestCompressedBytes }
}

extension Request {
    /// Whether the client names gzip among the encodings that it accepts, other than with the quality 0 (RFC 9110, 12.5.3). Browsers send one
    /// short header; what is beyond its first kilobyte is not read.
    var acceptsGzip: Bool {
        guard let value = headers[values: .acceptEncoding].first else { return false }
        return VisitHeaders.shortened(value).lowercased().split(separator: ",").contains { encoding in
            let parts = encoding.utf8.split(separator: UInt8(ascii: ";")).map { part in
                String(decoding: part.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }, as: UTF8.self)
            }
            guard parts.first == "gzip" else { return false }
            return !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) ?? 0 <= 0 }
        }
    }
}
