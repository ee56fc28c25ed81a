import Foundation

/// The result of converting an amount to another currency.
package enum Conversion: Sendable {
    case converted(Money)
    /// The result exceeds the largest amount.
    case tooLarge
    case rateMissing

    /// - Parameter money: the result; nil if it is too large.
    fileprivate init(_ money: Money?) {
        if let money { self = .converted(money) } else { self = .tooLarge }
    }
}

extension RateReader {
    /// Converts an amount to another currency, at the rates of a day.
    package func converted(_ money: Money, from: Currency, to: Currency, on day: Int64) throws -> Conversion {
        guard from != to else { return .converted(money) }
        let (source, target) = (try rate(of: from, on: day), try rate(of: to, on: day))
        switch (source, target) {
        case (let source?, let target?): return Conversion(money.times(target.value / source.value))
        case (let source?, nil): return source.base == to ? Conversion(source.inBase(money)) : .rateMissing
        case (nil, let target?): return target.base == from ? Conversion(money.times(target.value)) : .rateMissing
        case (nil, nil): return .rateMissing
        }
    }
}
