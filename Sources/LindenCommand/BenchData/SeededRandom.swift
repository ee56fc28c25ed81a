/// A deterministic random number generator: SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Returns a number in 0..<1.
    mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    mutating func roll(_ sides: Int) -> Int { Int(next(upperBound: UInt64(sides))) }

    /// Returns true with a probability of `share` in a thousand.
    mutating func happens(inThousand share: Int) -> Bool { roll(1000) < share }
}

/// A discrete distribution over elements with weights.
struct Weighted<Element: Sendable>: Sendable {
    let elements: [Element]
    private let through: [Double]

    init(_ elements: [(Element, Double)]) {
        self.elements = elements.map(\.0)
        var sum = 0.0
        through = elements.map { element in
            sum += element.1
            return sum
        }
    }

    func index(_ random: inout SeededRandom) -> Int {
        let drawn = random.fraction() * (through.last ?? 0)
        var (low, high) = (0, through.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if through[middle] > drawn { high = middle } else { low = middle + 1 }
        }
        return low
    }

    func draw(_ random: inout SeededRandom) -> Element { elements[index(&random)] }
}

extension Weighted<Int> {
    /// The numbers 0..<`count` under Zipf's law: the weight of the nth is 1/n.
    init(zipf count: Int) {
        self.init((0..<count).map { ($0, 1 / Double($0 + 1)) })
    }
}
