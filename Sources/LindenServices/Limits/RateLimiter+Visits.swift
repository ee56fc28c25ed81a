extension RateLimiter {
    /// The number of visits as which one counts: it is decided on the event loop, which takes longer for each item and byte of its query.
    static func visits(for query: String?) -> Int {
        guard let query = query?.utf8, query.count > 128 else { return 1 }
        return 1 + query.count / 1024 + query.count { $0 == UInt8(ascii: "&") } / 16
    }
}
