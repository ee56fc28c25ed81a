extension RateLimiter {
    /// How many visits one visit counts as: it is decided on the event loop, which takes longer for each item and byte of its query.
    static func visits(for query: String?) -> Int {
        guard var query, query.utf8.count > 128 else { return 1 }
        return query.withUTF8 { bytes in
            var items = 0
            for byte in bytes where byte == UInt8(ascii: "&") { items += 1 }
            return 1 + bytes.count / 1024 + items / 16
        }
    }
}
