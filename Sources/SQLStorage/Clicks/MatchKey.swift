import Linden
import LindenKernel

/// The key of pending clicks in the indexes of probabilistic matching: a hash of a ``Linden/Fingerprint``.
///
/// The upper 40 bits are a hash of scope and address, the lower 24 of the OS and its version. So a fingerprint is found by its key, an
/// address by a range of keys, and keys of one address are neighbours. A key is stored, so the hash must not change; it is no secret and
/// collisions do no harm, because each click that is found is compared with its row in the log.
package struct MatchKey: Hashable, Comparable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    package init(_ fingerprint: Fingerprint) {
        var system = FowlerHash()
        system.combine(fingerprint.os)
        system.combine(fingerprint.osVersion)
        let address = Self.first(of: fingerprint.address, in: fingerprint.scope)
        self.init(rawValue: address.rawValue | Int64(system.value >> (64 - Self.systemBits)))
    }

    package static func < (left: MatchKey, right: MatchKey) -> Bool { left.rawValue < right.rawValue }

    /// The keys of an address.
    package static func range(of address: String, in scope: Scope) -> ClosedRange<MatchKey> {
        let first = first(of: address, in: scope)
        return first...MatchKey(rawValue: first.rawValue | ((1 << systemBits) - 1))
    }

    /// The part of the key that stands for scope and address.
    var address: Int64 { rawValue >> Self.systemBits }

    private static let systemBits: Int64 = 24

    private static func first(of address: String, in scope: Scope) -> MatchKey {
        var hash = FowlerHash()
        hash.combine(UInt64(bitPattern: scope.app.rawValue))
        hash.combine(UInt64(bitPattern: scope.mode.rawValue))
        hash.combine(address)
        return MatchKey(rawValue: (Int64(bitPattern: hash.value) >> systemBits) << systemBits)
    }
}

extension MatchKey: SQLEncodable {
    package var sqlValue: SQLValue { .integer(rawValue) }
}

/// FNV-1a of 64 bits (Fowler, Noll and Vo), with a last step that lets each input bit change the upper bits as well.
private struct FowlerHash {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func combine(_ text: String) {
        for byte in text.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
        // Ends the text: no byte of UTF-8 has this value.
        state = (state ^ 0xff) &* 0x100_0000_01b3
    }

    mutating func combine(_ word: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            state = (state ^ (word >> UInt64(shift) & 0xff)) &* 0x100_0000_01b3
        }
    }

    var value: UInt64 {
        let mixed = (state ^ (state >> 32)) &* 0x9e37_79b9_7f4a_7c15
        return mixed ^ (mixed >> 29)
    }
}
