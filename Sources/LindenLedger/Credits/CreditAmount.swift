import LindenKernel

/// An amount of credits: a positive whole number.
///
/// Amounts and balances are at most 2³¹ − 1, because the Android SDK stores them in 32 bits.
package struct CreditAmount: Sendable, Hashable {
    package static let largest: Int64 = 2_147_483_647

    package let value: Int64

    /// Validates an amount. Fails with `invalid` if it is missing or out of range.
    package init(_ value: Int64?, name: String = "amount") throws {
        guard let value, (1...Self.largest).contains(value) else {
            throw Failure.invalid("\(name) must be a whole number from 1 to \(Self.largest).")
        }
        self.value = value
    }

    /// Wraps an amount that was validated before.
    init(known value: Int64) {
        self.value = value
    }
}
