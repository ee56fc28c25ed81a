extension Bitmap {
    /// Returns the picture in another size: each pixel is the average of the area that it covers (box filter), so no source pixel is
    /// skipped. Integer arithmetic gives the same result on every machine.
    func scaled(width newWidth: Int, height newHeight: Int) -> Bitmap {
        let columns = Self.shares(of: width, among: newWidth)
        let rows = Self.shares(of: height, among: newHeight)
        let area = width * height
        var scaled: [UInt8] = []
        scaled.reserveCapacity(newWidth * newHeight * 4)
        rgba.withUnsafeBufferPointer { rgba in
            for row in rows {
                for column in columns {
                    var (red, green, blue, alpha) = (0, 0, 0, 0)
                    for y in row.pixels {
                        for x in column.pixels {
                            let pixel = (y * width + x) * 4
                            let weight = row.weight(y) * column.weight(x) * Int(rgba[pixel + 3])
                            red += weight * Int(rgba[pixel])
                            green += weight * Int(rgba[pixel + 1])
                            blue += weight * Int(rgba[pixel + 2])
                            alpha += weight
                        }
                    }
                    // Colours are weighted by alpha, so that transparent pixels do not contribute.
                    let divisor = max(alpha, 1)
                    for sum in [red, green, blue] { scaled.append(UInt8((sum + divisor / 2) / divisor)) }
                    scaled.append(UInt8((alpha + area / 2) / area))
                }
            }
        }
        return Bitmap(width: newWidth, height: newHeight, rgba: scaled)
    }

    /// Returns the picture, scaled down if its longer side exceeds `longest` pixels.
    func fitting(_ longest: Int) -> Bitmap {
        let longer = max(width, height)
        guard longer > longest else { return self }
        return scaled(width: max(1, width * longest / longer), height: max(1, height * longest / longer))
    }

    /// The source pixels under one destination pixel, along one axis. Lengths are in units of which a source pixel has `newCount` and a
    /// destination pixel `oldCount`.
    private struct Share {
        let start: Int
        let oldCount: Int
        let newCount: Int

        var pixels: Range<Int> { start / newCount..<(start + oldCount + newCount - 1) / newCount }

        func weight(_ pixel: Int) -> Int {
            min((pixel + 1) * newCount, start + oldCount) - max(pixel * newCount, start)
        }
    }

    private static func shares(of oldCount: Int, among newCount: Int) -> [Share] {
        (0..<newCount).map { Share(start: $0 * oldCount, oldCount: oldCount, newCount: newCount) }
    }
}
