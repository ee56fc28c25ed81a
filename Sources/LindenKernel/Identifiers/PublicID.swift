import LinkRouting

/// An encoder of row ids as the credentials that clients see (identity, device, session and click ids), and the decoder.
///
/// Row ids are guessable from their neighbours, but a public id grants access to that user's data. A public id is therefore a keyed
/// permutation of the numbers with the same count of digits: as hard to guess as the key, while rows are still found by their primary key,
/// without an index of random strings. The permutation is a Feistel network over a keyed hash; a result with another count of digits is
/// permuted again until it fits (cycle walking).
package struct PublicIDs: Sendable {
    private let shown: Permutation
    private let shared: Permutation
    private let referenced: Permutation

    /// - Parameter key: the installation's key. It never changes, because all issued ids depend on it.
    package init(key: InstallationKey) {
        shown = Permutation(hash: SipHash(key0: key.high, key1: key.low))
        shared = Permutation(hash: SipHash(key0: ~key.high, key1: key.low))
        referenced = Permutation(hash: SipHash(key0: ~key.high, key1: ~key.low))
    }

    /// Returns the public form of an id: decimal, with as many digits as the id (18 until 2032; the Web SDK corrupts ids of 16 and 20
    /// digits).
    package func string<Entity>(for id: Identifier<Entity>) -> String {
        shown.string(for: id.rawValue)
    }

    /// Returns the row id of a public id; nil for a malformed text.
    package func id<Entity>(for text: String, of entity: Entity.Type = Entity.self) -> Identifier<Entity>? {
        shown.number(for: text).map(Identifier.init(rawValue:))
    }

    /// Returns a second public form of a number, unrelated to the first, for tokens that grant no access.
    package func sharedText(for number: Int64) -> String { shared.string(for: number) }

    package func number(forSharedText text: String) -> Int64? { shared.number(for: text) }

    /// Returns the form of an id that operators see, such as `session_512843097116349012`. It grants no access: no call of an SDK accepts
    /// it, and it reveals nothing of the credential.
    package func reference<Entity: ReferencedEntity>(to id: Identifier<Entity>) -> String {
        Entity.referencePrefix + referenceNumber(to: id)
    }

    /// Returns a reference without its prefix, for columns of numbers.
    package func referenceNumber<Entity: ReferencedEntity>(to id: Identifier<Entity>) -> String {
        referenced.string(for: id.rawValue)
    }

    /// Returns the row id that an operator names: by its reference, or by the credential, which developers copy from their app's log. Nil
    /// for any other text, and for a reference of another kind.
    package func id<Entity: ReferencedEntity>(named text: String, of entity: Entity.Type = Entity.self) -> Identifier<Entity>? {
        guard text.hasPrefix(Entity.referencePrefix) else { return id(for: text) }
        return referenced.number(for: String(text.dropFirst(Entity.referencePrefix.count))).map(Identifier.init(rawValue:))
    }
}

/// An entity whose public id is a credential, and which operators therefore see by its reference, see ``PublicIDs/reference(to:)``.
package protocol ReferencedEntity: Sendable {
    /// The beginning of each reference, such as `session_`.
    static var referencePrefix: String { get }
}

/// A keyed permutation of the positive numbers that preserves their count of digits.
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

    /// All positive 63-bit numbers with a given count of digits.
    private struct Domain {
        let lowest: UInt64
        let count: UInt64
        /// Half the width of the network in bits: the smallest even width that covers the count, halved.
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
        let mask: UInt64 = (1 << halfBits) - 1
        var left = value >> halfBits
        var right = value & mask
        for round in 0..<Permutation.rounds {
            (left, right) = (right, left ^ (hash(round << 56 | right) & mask))
        }
        return left << halfBits | right
    }

    private func unpermute(_ value: UInt64, halfBits: UInt64) -> UInt64 {
        let mask: UInt64 = (1 << halfBits) - 1
        var left = value >> halfBits
        var right = value & mask
        for round in (0..<Permutation.rounds).reversed() {
            (left, right) = (right ^ (hash(round << 56 | left) & mask), left)
        }
        return left << halfBits | right
    }
}

/// The secret key of an installation's public ids.
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
        Hex.encode(high) + Hex.encode(low)
    }

    package init?(text: String) {
        guard text.count == 32, let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16) else {
            return nil
        }
        self.init(high: high, low: low)
    }
}
