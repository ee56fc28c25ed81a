import LindenKernel

/// A reproducible random number generator.
package struct Dice: RandomNumberGenerator {
    private let source: RandomSource

    package init(seed: UInt64) {
        source = .repeatable(seed: seed)
    }

    package mutating func next() -> UInt64 { source.next() }

    package mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &self) }

    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[roll(elements.count)] }
}
