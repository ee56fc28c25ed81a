import LindenKernel

extension SQLRow {
    /// Decodes a sum from two adjacent columns, thousands and millionths, see ``MoneySum/parts``.
    func moneySum(_ column: Int) -> MoneySum {
        MoneySum(thousands: integer(column), millionths: integer(column + 1))
    }
}
