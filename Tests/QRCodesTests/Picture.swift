import CJPEG
import CPNG
import QRCodes
import Testing

/// A picture that tests make or read, four bytes for each pixel.
struct Picture {
    let width: Int
    let height: Int
    private(set) var rgba: [UInt8]

    /// A red disc on nothing, with a soft edge.
    static func disc(width: Int = 60, height: Int = 60) -> Picture {
        Picture(width: width, height: height) { x, y in
            let (across, down) = (Double(2 * x + 1) / Double(width) - 1, Double(2 * y + 1) / Double(height) - 1)
            let distance = (across * across + down * down).squareRoot()
            return [220, 30, 40, UInt8(max(0, min(1, (1 - distance) * 10)) * 255)]
        }
    }

    static func filled(_ color: [UInt8], width: Int, height: Int) -> Picture {
        Picture(width: width, height: height) { _, _ in color }
    }

    init(width: Int, height: Int, pixel: (_ x: Int, _ y: Int) -> [UInt8]) {
        self.width = width
        self.height = height
        rgba = (0..<height).flatMap { y in (0..<width).flatMap { x in pixel(x, y) } }
    }

    init(png: [UInt8]) throws {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        rgba = try png.withUnsafeBufferPointer { png in
            try #require(png_image_begin_read_from_memory(&image, png.baseAddress, png.count) != 0)
            image.format = PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA
            var rgba = [UInt8](repeating: 0, count: Int(image.width * image.height * 4))
            try #require(png_image_finish_read(&image, nil, &rgba, 0, nil) != 0)
            return rgba
        }
        width = Int(image.width)
        height = Int(image.height)
    }

    var png: [UInt8] {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        image.width = png_uint_32(width)
        image.height = png_uint_32(height)
        image.format = PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA
        return [UInt8](unsafeUninitializedCapacity: png_image_size_max(&image)) { file, count in
            count = file.count
            png_image_write_to_memory(&image, file.baseAddress, &count, 0, rgba, 0, nil)
        }
    }

    var jpeg: [UInt8] {
        let encoder = tjInitCompress()
        defer { tjDestroy(encoder) }
        let (width, height, subsampling) = (Int32(width), Int32(height), Int32(TJSAMP_420.rawValue))
        return [UInt8](unsafeUninitializedCapacity: Int(tjBufSize(width, height, subsampling))) { file, count in
            var start = file.baseAddress
            var size = UInt(file.count)
            tjCompress2(
                encoder, rgba, width, 0, height, Int32(TJPF_RGBA.rawValue), &start, &size, subsampling, 90, TJFLAG_NOREALLOC)
            count = Int(size)
        }
    }

    func color(x: Int, y: Int) -> QRCodeStyle.Color {
        let pixel = (y * width + x) * 4
        return QRCodeStyle.Color(red: rgba[pixel], green: rgba[pixel + 1], blue: rgba[pixel + 2])
    }

    mutating func fill(_ color: QRCodeStyle.Color, columns: Range<Int>, rows: Range<Int>) {
        for y in rows {
            for x in columns {
                let pixel = (y * width + x) * 4
                rgba.replaceSubrange(pixel..<pixel + 4, with: [color.red, color.green, color.blue, 255])
            }
        }
    }
}
