/// So many credits: a whole number above zero.
///
/// Android's SDK keeps amounts and balances in 32 bits, so neither is ever larger.
package struct CreditAmount: Sendable, Hashable {
    package static let largest: Int64 = 2_147_483_647

    package let value: Int64

    /// Fails with `invalid` for what is no amount.
    package init(_ value: Int64?, name: String = "amount") throws {
        guard let value, (1...Self.largest).contains(value) else {
            throw Failure.invalid("\(name) must be a whole number from 1 to \(Self.largest).")
        }
        self.value = value
    }

    /// For an amount that was checked before.
    init(known value: Int64) {
        self.value = value
    }
}
