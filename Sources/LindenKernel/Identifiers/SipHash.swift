/// SipHash-2-4 (Aumasson and Bernstein, 2012) of one 64-bit word: a keyed hash function for short inputs.
///
/// Our own implementation, because it runs ten times per credential on the click path, where a hash with the block size of a cipher would
/// cost more than the rest of the request; Swift's own `Hasher` has a different key in each process.
package struct SipHash: Sendable {
    private let key: (UInt64, UInt64)

    package init(key0: UInt64, key1: UInt64) {
        key = (key0, key1)
    }

    package func callAsFunction(_ word: UInt64) -> UInt64 {
        var v0 = key.0 ^ 0x736f_6d65_7073_6575
        var v1 = key.1 ^ 0x646f_7261_6e64_6f6d
        var v2 = key.0 ^ 0x6c79_6765_6e65_7261
        var v3 = key.1 ^ 0x7465_6462_7974_6573

        func rotate(_ x: UInt64, _ by: UInt64) -> UInt64 { x << by | x >> (64 - by) }
        func round() {
            v0 &+= v1
            v1 = rotate(v1, 13) ^ v0
            v0 = rotate(v0, 32)
            v2 &+= v3
            v3 = rotate(v3, 16) ^ v2
            v0 &+= v3
            v3 = rotate(v3, 21) ^ v0
            v2 &+= v1
            v1 = rotate(v1, 17) ^ v2
            v2 = rotate(v2, 32)
        }
        func absorb(_ m: UInt64) {
            v3 ^= m
            round()
            round()
            v0 ^= m
        }

        absorb(word)
        absorb(8 << 56)  // the last block: the length of the input in its top byte
        v2 ^= 0xff
        for _ in 0..<4 { round() }
        return v0 ^ v1 ^ v2 ^ v3
    }
}
