/// Turns row ids into what the wire shows as a credential (identity, device, session and click ids) and back.
///
/// A row id tells its neighbours; whoever holds the shown number can read that user's data. So it is shown under a keyed
/// permutation of the numbers with as many digits: as unguessable as the key, and the row is still found by its primary key, with
/// no index of random strings. The permutation is a Feistel network over a keyed hash; results with another number of digits are
/// put through it again until they fit (cycle walking).
package struct PublicIDs: Sendable {
    private let shown: Permutation
    private let shared: Permutation

    /// The key is one per installation and never changes: it is part of what the ids mean.
    package init(key: InstallationKey) {
        shown = Permutation(hash: SipHash(key0: key.high, key1: key.low))
        shared = Permutation(hash: SipHash(key0: ~key.high, key1: key.low))
    }

    /// The shown form: decimal, as many digits as the id has (18 until 2032; the Web SDK garbles 16 and 20).
    package func string<Entity>(for id: Identifier<Entity>) -> String {
        shown.string(for: id.rawValue)
    }

    /// The row id behind a shown form; nil for a text that cannot be one.
    package func id<Entity>(for text: String, of entity: Entity.Type = Entity.self) -> Identifier<Entity>? {
        shown.number(for: text).map(Identifier.init(rawValue:))
    }

    /// What a user's links say of him: which user it is to this installation, and to nobody else. It opens nothing.
    package func shareToken(for id: Identity.ID) -> String {
        shared.string(for: id.rawValue)
    }

    package func identity(forShareToken text: String) -> Identity.ID? {
        shared.number(for: text).map(Identity.ID.init(rawValue:))
    }
}

/// A keyed permutation of the positive numbers, each among those with as many digits.
private struct Permutation: Sendable {
    private static let rounds: UInt64 = 10
    let hash: SipHash

    func string(for number: Int64) -> String {
        let domain = Domain(containing: UInt64(number))
        var value = UInt64(number) - domain.lowest
        repeat { value = permute(value, halfBits: domain.halfBits) } while value >= domain.count
        return String(value + domain.lowest)
    }

    func number(for text: String) -> Int64? {
        guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let shown = UInt64(text), shown > 0, shown <= UInt64(Int64.max)
        else { return nil }
        let domain = Domain(containing: shown)
        var value = shown - domain.lowest
        repeat { value = unpermute(value, halfBits: domain.halfBits) } while value >= domain.count
        return Int64(value + domain.lowest)
    }

    /// All positive 63-bit numbers with one number of digits.
    private struct Domain {
        let lowest: UInt64
        let count: UInt64
        /// Half the bits of the network: the smallest even width that covers the count.
        let halfBits: UInt64

        init(containing number: UInt64) {
            var low: UInt64 = 1
            while low <= number / 10 { low *= 10 }
            lowest = low
            count = min(low &* 9, UInt64(Int64.max) - low + 1)
            halfBits = UInt64(64 - (count - 1).leadingZeroBitCount + 1) / 2
        }
    }

    private func permute(_ value: UInt64, halfBits: UInt64) -> UInt64 {
        let mask: UInt64 = 1 << halfBits - 1
        var left = value >> halfBits
        var right = value & mask
        for round in 0..<Permutation.rounds {
            (left, right) = (right, left ^ (hash(round << 56 | right) & mask))
        }
        return left << halfBits | right
    }

    private func unpermute(_ value: UInt64, halfBits: UInt64) -> UInt64 {
        let mask: UInt64 = 1 << halfBits - 1
        var left = value >> halfBits
        var right = value & mask
        for round in (0..<Permutation.rounds).reversed() {
            (left, right) = (right ^ (hash(round << 56 | left) & mask), left)
        }
        return left << halfBits | right
    }
}

/// The secret from which an installation's public ids are made.
package struct InstallationKey: Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package init(random: RandomSource) {
        self.init(high: random.next(), low: random.next())
    }

    /// 32 hexadecimal digits, as stored.
    package var text: String {
        [high, low].map { String(repeating: "0", count: $0.leadingZeroBitCount / 4) + ($0 == 0 ? "" : String($0, radix: 16)) }
            .joined()
    }

    package init?(text: String) {
        guard text.count == 32, let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16) else {
            return nil
        }
        self.init(high: high, low: low)
    }
}
