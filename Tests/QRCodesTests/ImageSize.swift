/// The pixels across and down, as a file's own header tells them.
struct ImageSize: Equatable {
    let width: Int
    let height: Int

    /// From a PNG's first chunk.
    init(png: [UInt8]) {
        width = Self.number(png[16..<20])
        height = Self.number(png[20..<24])
    }

    /// From a JPEG's frame header, after as many other segments as there are.
    init?(jpeg: [UInt8]) {
        var position = 2
        while position + 9 < jpeg.count, jpeg[position] == 0xFF {
            if (0xC0...0xC2).contains(jpeg[position + 1]) {
                height = Self.number(jpeg[position + 5..<position + 7])
                width = Self.number(jpeg[position + 7..<position + 9])
                return
            }
            position += 2 + Self.number(jpeg[position + 2..<position + 4])
        }
        return nil
    }

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
