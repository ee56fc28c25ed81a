import CJPEG

/// Encodes and decodes JPEG files in memory with TurboJPEG, libjpeg-turbo's interface that needs no `setjmp` in the caller.
enum JPEG {
    static let signature: [UInt8] = [0xFF, 0xD8, 0xFF]

    private static let quality: Int32 = 92

    static func decode(_ file: [UInt8]) throws(QRCodeError) -> Bitmap {
        guard let decoder = tjInitDecompress() else { throw .unreadableLogo }
        defer { tjDestroy(decoder) }
        let size = UInt(file.count)
        var (width, height, subsampling, colorspace) = (Int32(0), Int32(0), Int32(0), Int32(0))
        guard tjDecompressHeader3(decoder, file, size, &width, &height, &subsampling, &colorspace) == 0 else {
            throw .unreadableLogo
        }
        try Bitmap.checkLogo(width: Int(width), height: Int(height))
        var rgba = [UInt8](repeating: 0, count: Int(width) * Int(height) * 4)
        // Limits the number of scans, because each scan of a few bytes costs a pass over the whole picture.
        let flags = TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS | TJFLAG_ACCURATEDCT
        guard tjDecompress2(decoder, file, size, &rgba, width, 0, height, Int32(TJPF_RGBA.rawValue), flags) == 0 else {
            throw .unreadableLogo
        }
        return Bitmap(width: Int(width), height: Int(height), rgba: rgba)
    }

    /// Encodes an opaque image without chroma subsampling (4:4:4), because a code's colours change from one pixel to the next.
    static func encode(_ bitmap: Bitmap) throws(QRCodeError) -> [UInt8] {
        guard let encoder = tjInitCompress() else { throw .notEncoded }
        defer { tjDestroy(encoder) }
        let (width, height, subsampling) = (Int32(bitmap.width), Int32(bitmap.height), Int32(TJSAMP_444.rawValue))
        let file = [UInt8](unsafeUninitializedCapacity: Int(tjBufSize(width, height, subsampling))) { file, count in
            var start = file.baseAddress
            var size = UInt(file.count)
            let flags = TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT
            let status = tjCompress2(
                encoder, bitmap.rgba, width, 0, height, Int32(TJPF_RGBA.rawValue), &start, &size, subsampling, quality, flags)
            count = status == 0 ? Int(size) : 0
        }
        guard !file.isEmpty else { throw .notEncoded }
        return file
    }
}
