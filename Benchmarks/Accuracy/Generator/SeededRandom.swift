import Foundation
import LindenKernel

/// A reproducible random number generator (SplitMix64) and the distributions drawn from it.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// A separate generator for a name, so that additional draws in one place do not change those in another.
    init(seed: UInt64, name: String) {
        self.init(seed: name.utf8.reduce(seed) { mixed($0, UInt64($1)) })
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return mixed(state)
    }

    /// Uniform in 0 ..< 1.
    mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }

    mutating func chance(_ probability: Double) -> Bool { unit() < probability }

    mutating func number(below limit: Int) -> Int { Int(next() % UInt64(limit)) }

    /// Normally distributed with mean 0 and variance 1 (Box–Muller).
    mutating func normal() -> Double {
        let radius = (-2 * log(1 - unit())).squareRoot()
        return radius * cos(2 * .pi * unit())
    }

    mutating func logNormal(_ shape: LogNormal) -> Duration {
        .seconds(shape.median.inSeconds * exp(shape.sigma * normal()))
    }

    mutating func exponential(mean: Duration) -> Duration { .seconds(-mean.inSeconds * log(1 - unit())) }
}

/// A log-normal distribution of durations: half are below the median, two thirds within a factor of `exp(sigma)` of it.
struct LogNormal: Sendable {
    let median: Duration
    let sigma: Double
}

/// A discrete distribution of values by weight.
struct Weighted<Value: Sendable>: Sendable {
    private let values: [Value]
    private let sums: [Double]

    init(_ pairs: [(Value, Double)]) {
        values = pairs.map(\.0)
        var sum = 0.0
        sums = pairs.map { pair in
            sum += pair.1
            return sum
        }
    }

    /// Zipf's law: the first value is the likeliest, the n-th is `n ^ exponent` times rarer.
    static func zipf(_ values: [Value], exponent: Double) -> Weighted {
        Weighted(values.enumerated().map { ($1, pow(Double($0 + 1), -exponent)) })
    }

    func pick(_ random: inout SeededRandom) -> Value {
        let drawn = random.unit() * sums[sums.count - 1]
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > drawn { high = middle } else { low = middle + 1 }
        }
        return values[low]
    }
}

/// A hash of a number (SplitMix64's finalizer).
func mixed(_ number: UInt64) -> UInt64 {
    var mixed = number
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
}

func mixed(_ first: UInt64, _ second: UInt64) -> UInt64 {
    mixed(mixed(first &+ 0x9E37_79B9_7F4A_7C15) ^ second)
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }

    static func minutes(_ count: Double) -> Duration { .seconds(count * 60) }
    static func hours(_ count: Double) -> Duration { .seconds(count * 3600) }
}

extension Timestamp {
    static func - (left: Timestamp, right: Timestamp) -> Duration { .milliseconds(left.milliseconds - right.milliseconds) }
}
