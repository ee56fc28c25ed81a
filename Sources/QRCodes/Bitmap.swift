/// An RGBA picture in memory: four bytes for each pixel, row by row; the alpha is straight, not premultiplied.
struct Bitmap: Sendable {
    let width: Int
    let height: Int
    private(set) var rgba: [UInt8]

    init(width: Int, height: Int, rgba: [UInt8]) {
        precondition(rgba.count == width * height * 4)
        self.width = width
        self.height = height
        self.rgba = rgba
    }

    /// Blends a picture over this one, which must be opaque. The picture must lie within this one's bounds.
    mutating func draw(_ picture: Bitmap, x: Int, y: Int) {
        for row in 0..<picture.height {
            for column in 0..<picture.width {
                let source = (row * picture.width + column) * 4
                let target = ((y + row) * width + x + column) * 4
                let alpha = Int(picture.rgba[source + 3])
                for channel in 0..<3 {
                    let sum = Int(picture.rgba[source + channel]) * alpha + Int(rgba[target + channel]) * (255 - alpha)
                    rgba[target + channel] = UInt8((sum + 127) / 255)
                }
            }
        }
    }
}
