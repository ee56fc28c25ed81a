/// Keeps the exchange rates that the operator loads. They count from then on: what was converted stays as it is.
package struct RateService: Sendable {
    private let storage: any Storage
    private let clock: WallClock

    package init(storage: any Storage, clock: WallClock) {
        self.storage = storage
        self.clock = clock
    }

    /// Today in UTC, from which undated rates hold.
    package var today: Int64 { clock.now().day }

    /// Keeps all of the rates, or none. Fails with `conflict` if those that are there are against another base and are not replaced.
    package func load(_ rates: [ExchangeRate], base: Currency, replacingAll: Bool = false) async throws {
        try await storage.write { transaction in
            if replacingAll { try transaction.deleteRates() }
            if let known = try transaction.rateBase(), known != base {
                throw Failure(
                    .conflict,
                    "The rates here are against \(known.code), these against \(base.code): name --base \(known.code), or replace all of "
                        + "them with --replace.")
            }
            for rate in rates { try transaction.insert(rate) }
        }
    }

    /// The rates that hold today.
    package func list() async throws -> [ExchangeRate] {
        try await storage.read { try $0.rates(on: $0.now.day) }
    }
}
