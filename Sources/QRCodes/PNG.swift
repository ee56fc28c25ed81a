import CPNG

/// Encodes and decodes PNG files in memory with libpng's simplified interface, which needs no `setjmp` in the caller.
enum PNG {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static let rgbFormat = PNG_FORMAT_FLAG_COLOR
    private static let rgbaFormat = PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA

    /// The places in a file of the bits of a colour and of the kind of interlacing. Before version 1.6.51, libpng writes beyond the picture where
    /// an interlaced one has 16 bits (CVE-2025-65018).
    private static let (depth, interlacing) = (24, 28)

    static func decode(_ file: [UInt8]) throws(QRCodeError) -> Bitmap {
        let file = essentials(file)
        guard file.count > interlacing, file[depth] < 16 || file[interlacing] == 0 else { throw .unreadableLogo }
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        // libpng keeps the address of the file between the two calls.
        return try file.withUnsafeBufferPointer { file throws(QRCodeError) in
            guard png_image_begin_read_from_memory(&image, file.baseAddress, file.count) != 0 else { throw .unreadableLogo }
            let (width, height) = (Int(image.width), Int(image.height))
            try Bitmap.checkLogo(width: width, height: height)
            image.format = rgbaFormat
            var rgba = [UInt8](repeating: 0, count: width * height * 4)
            guard png_image_finish_read(&image, nil, &rgba, png_int_32(width * 4), nil) != 0 else { throw .unreadableLogo }
            return Bitmap(width: width, height: height, rgba: rgba)
        }
    }

    /// Encodes a true-colour image, with an alpha channel only if a pixel is not opaque.
    static func encode(_ bitmap: Bitmap) throws(QRCodeError) -> [UInt8] {
        let isOpaque = stride(from: 3, to: bitmap.rgba.count, by: 4).allSatisfy { bitmap.rgba[$0] == 255 }
        guard isOpaque else {
            return try encode(bitmap.rgba, width: bitmap.width, height: bitmap.height, format: rgbaFormat)
        }
        var rgb: [UInt8] = []
        rgb.reserveCapacity(bitmap.width * bitmap.height * 3)
        for pixel in stride(from: 0, to: bitmap.rgba.count, by: 4) { rgb += bitmap.rgba[pixel..<pixel + 3] }
        return try encode(rgb, width: bitmap.width, height: bitmap.height, format: rgbFormat)
    }

    /// Encodes a square image with a palette; each pixel is an index into it.
    static func encode(_ pixels: [UInt8], width: Int, palette: [QRCodeStyle.Color]) throws(QRCodeError) -> [UInt8] {
        try encode(
            pixels, width: width, height: width, format: rgbFormat | PNG_FORMAT_FLAG_COLORMAP, palette: palette.flatMap(\.bytes))
    }

    private static func encode(
        _ pixels: [UInt8], width: Int, height: Int, format: UInt32, palette: [UInt8] = []
    ) throws(QRCodeError) -> [UInt8] {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        image.width = png_uint_32(width)
        image.height = png_uint_32(height)
        image.format = format
        image.colormap_entries = png_uint_32(palette.count / 3)
        let file = [UInt8](unsafeUninitializedCapacity: png_image_size_max(&image)) { file, count in
            var size = png_alloc_size_t(file.count)
            let isWritten = png_image_write_to_memory(&image, file.baseAddress, &size, 0, pixels, 0, palette) != 0
            count = isWritten ? Int(size) : 0
        }
        guard !file.isEmpty else { throw .notEncoded }
        return file
    }

    /// Returns the file with only the chunks that define its picture. Others, such as texts and profiles, may be decompression bombs.
    private static func essentials(_ file: [UInt8]) -> [UInt8] {
        var essentials = signature
        var rest = file.dropFirst(signature.count)
        while rest.count >= 12 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            let name = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
            let chunk = rest.prefix(length + 12)
            if essentialChunks.contains(name) { essentials += chunk }
            rest = rest.dropFirst(chunk.count)
        }
        return essentials
    }

    private static let essentialChunks: Set = ["IHDR", "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "IDAT", "IEND"]
}
