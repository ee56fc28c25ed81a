import Foundation
import NIOCore

extension ByteBuffer {
    /// The number of line feeds.
    var lineCount: Int {
        var count = 0
        forEachLineEnd(within: readableBytes) { _ in
            count += 1
            return true
        }
        return count
    }

    /// Skips line ends at the beginning.
    mutating func skipLineEnds() {
        let count = readableBytesView.prefix { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }.count
        moveReaderIndex(forwardBy: count)
    }

    /// Returns the number of bytes to the end of the first empty line; nil if there is none.
    ///
    /// - Parameter isBegun: whether the bytes continue a head, so that they may begin with its last line end.
    func endOfHead(isBegun: Bool, within limit: Int) -> Int? {
        withUnsafeReadableBytes { all in
            let bytes = UnsafeRawBufferPointer(rebasing: all.prefix(limit))
            func lineEnd(at index: Int) -> Int? {
                let next = index < bytes.count && bytes[index] == UInt8(ascii: "\r") ? index + 1 : index
                return next < bytes.count && bytes[next] == UInt8(ascii: "\n") ? next + 1 : nil
            }
            if isBegun, let end = lineEnd(at: 0) { return end }
            var found: Int?
            forEachLineEnd(within: limit) { rest in
                found = lineEnd(at: bytes.count - rest.count)
                return found == nil
            }
            return found
        }
    }

    /// Calls a closure with what follows each line feed of the first bytes, until it returns false.
    private func forEachLineEnd(within limit: Int, _ body: (_ rest: UnsafeRawBufferPointer) -> Bool) {
        withUnsafeReadableBytes { bytes in
            var rest = UnsafeRawBufferPointer(rebasing: bytes.prefix(limit))
            while let start = rest.baseAddress, let end = memchr(start, Int32(UInt8(ascii: "\n")), rest.count) {
                rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(end) - UnsafeRawPointer(start) + 1)...])
                guard body(rest) else { return }
            }
        }
    }
}
