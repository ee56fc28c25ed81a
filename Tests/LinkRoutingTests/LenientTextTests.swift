import Testing

@testable import LinkRouting

/// Bytes that need not be UTF-8 become the text that Swift's decoding makes of them.
@Suite struct LenientTextTests {
    private static let parts: [[UInt8]] = [
        [0x41], [0xFF], [0x80], [0xC3], [0xC3, 0xA9], [0xC0, 0x80], [0xE2, 0x82], [0xE2, 0x82, 0xAC], [0xE0, 0x80, 0x80],
        [0xED, 0xA0, 0x80],
        [0xF0, 0x9F, 0x8D], [0xF0, 0x9F, 0x8D, 0x90], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80], [0xEF, 0xBF, 0xBD], [0xF0, 0x80],
        [0xE1],
    ]

    @Test func eachPairOfSequencesIsDecodedAsBySwift() {
        for first in Self.parts {
            for second in Self.parts {
                let bytes = first + second
                #expect(LenientText.decode(bytes) == String(decoding: bytes, as: UTF8.self), "\(bytes)")
            }
        }
    }

    @Test func randomBytesAreDecodedAsBySwift() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...12)).map { _ in
                // Mostly bytes that begin or continue sequences.
                Bool.random() ? UInt8.random(in: 0x80...0xFF, using: &random) : UInt8.random(in: 0...0xFF, using: &random)
            }
            #expect(Array(LenientText.decode(bytes).utf8) == Array(String(decoding: bytes, as: UTF8.self).utf8), "\(bytes)")
        }
    }

    @Test func escapesOfAnyBytesAreDecoded() {
        #expect(PercentCoding.decode("%C3%A9+%FF%zz%4", plusIsSpace: true) == "é \u{FFFD}%zz%4")
        #expect(PercentCoding.decode("%41") == "A")
    }
}
