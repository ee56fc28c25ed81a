import LinkRouting
import NIOCore

/// Follows the chunks of a body to its trailers and to its end (RFC 9112, section 7.1): the parser decodes trailers as it does headers, and
/// nothing reads them. What is not framed so is refused by the parser.
struct ChunkFraming {
    private enum Place {
        case size(Int)
        /// Behind the size, up to the end of its line.
        case extensions(size: Int)
        /// Data, with the line end behind it.
        case data(Int)
        case trailers(isLineEmpty: Bool)
        case end
    }

    private static let largestSize = 1 << 40

    private var place = Place.size(0)
    private(set) var trailerBytes = 0

    /// Returns the number of bytes up to the end of the body: all if that is not among them, or came before.
    @discardableResult
    mutating func read(_ bytes: ByteBufferView) -> Int {
        if case .end = place { return bytes.count }
        var rest = bytes
        while let byte = rest.first {
            if case .data(let left) = place {
                let count = min(left, rest.count)
                rest = rest.dropFirst(count)
                place = count == left ? .size(0) : .data(left - count)
                continue
            }
            rest = rest.dropFirst()
            place = next(after: byte)
            if case .end = place { break }
        }
        return bytes.count - rest.count
    }

    private mutating func next(after byte: UInt8) -> Place {
        let isLineEnd = byte == UInt8(ascii: "\n")
        switch place {
        case .size(let size), .extensions(let size):
            if isLineEnd { return size == 0 ? .trailers(isLineEmpty: true) : .data(size + 2) }
            if case .size = place, let digit = Hex.value(of: byte), size < Self.largestSize { return .size(size * 16 + Int(digit)) }
            return .extensions(size: size)
        case .trailers(let isLineEmpty):
            if isLineEnd, isLineEmpty { return .end }
            trailerBytes += 1
            return .trailers(isLineEmpty: isLineEnd || isLineEmpty && byte == UInt8(ascii: "\r"))
        case .data, .end: return place
        }
    }
}
