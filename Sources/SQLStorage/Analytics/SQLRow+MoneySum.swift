import Linden

extension SQLRow {
    /// A sum from a column of its thousands and one of its millionths, see ``MoneySum/parts``.
    func moneySum(_ column: Int) -> MoneySum {
        MoneySum(thousands: integer(column), millionths: integer(column + 1))
    }
}
