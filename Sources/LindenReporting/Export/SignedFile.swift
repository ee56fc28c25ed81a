/// The name of a file, with the query that proves that its address was issued here. The path before the name is the server's.
package struct SignedFile: Sendable, Equatable {
    package let name: String
    /// The query without its question mark: the time of expiry, and what else the signature needs.
    package let query: String
}
