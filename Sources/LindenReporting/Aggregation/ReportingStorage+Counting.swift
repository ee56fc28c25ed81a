extension ReportingStorage {
    /// The most batches that are read by the writer before a reader makes one again.
    private static var mostInTransaction: Int { 20 }

    /// Counts the next batch of rows, which a reader makes and the writer adds.
    ///
    /// While many rows that are not counted yet are erased, each batch is out of date when the writer adds it. Then some small ones are made by
    /// the writer itself, so that counting goes on.
    ///
    /// - Parameters:
    ///   - next: returns the next batch within a limit; nil if all rows are counted.
    ///   - add: adds a batch; false if it is out of date.
    /// - Returns: the last batch that was made; nil if all rows were counted.
    func countNext<Batch: Sendable>(
        limit: CountingLimit, _ next: @escaping @Sendable (any ReportingReader, CountingLimit) throws -> Batch?,
        _ add: @escaping @Sendable (any ReportingTransaction, Batch) throws -> Bool
    ) async throws -> Batch? {
        guard var last = try await read({ try next($0, limit) }) else { return nil }
        if try await write({ [last] in try add($0, last) }) { return last }
        for _ in 0..<Self.mostInTransaction {
            try Task.checkCancellation()
            let batch = try await write { transaction in
                let batch = try next(transaction, .inTransaction)
                if let batch { _ = try add(transaction, batch) }
                return batch
            }
            guard let batch else { break }
            last = batch
        }
        return last
    }
}
