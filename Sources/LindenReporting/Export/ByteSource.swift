/// A long sequence of bytes that is read in chunks.
package protocol ByteSource: Sendable {
    /// Returns the next chunk, which may be empty; nil at the end.
    mutating func next() async throws -> [UInt8]?
}
