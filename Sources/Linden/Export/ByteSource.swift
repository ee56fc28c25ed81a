/// Something long that is read piece by piece.
package protocol ByteSource: Sendable {
    /// The next bytes, which may be none; nil at the end.
    mutating func next() async throws -> [UInt8]?
}
