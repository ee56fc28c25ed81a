import Linden

extension SQLRow {
    /// A sum of money in millionths, from one column of whole units and one of what is beside them: the largest amounts are more together
    /// than BIGINT holds, and whoever has an app's public key may report them.
    func revenue(_ column: Int) -> Int64 {
        let (units, rest) = (integer(column), integer(column + 1))
        let limit = Figures.highestRevenue / 1_000_000
        return units.magnitude < UInt64(limit) ? units * 1_000_000 + rest : units.signum() * Figures.highestRevenue
    }
}
