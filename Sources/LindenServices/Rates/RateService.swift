import Linden
import LindenKernel

/// Manages the operator's exchange rates. They apply to amounts converted from then on; converted amounts do not change.
package struct RateService: Sendable {
    private let storage: any Storage
    private let clock: WallClock

    package init(storage: any Storage, clock: WallClock) {
        self.storage = storage
        self.clock = clock
    }

    /// The current day in UTC, from which undated rates apply.
    package var today: Int64 { clock.now().day }

    /// Stores all of the rates, or none. Fails with `conflict` if the stored rates have another base and are not replaced.
    package func load(_ rates: [ExchangeRate], base: Currency, replacingAll: Bool = false) async throws {
        try await storage.write { transaction in
            if replacingAll { try transaction.deleteRates() }
            if let known = try transaction.rateBase(), known != base {
                throw Failure(
                    .conflict,
                    "The stored rates are against \(known.code), these against \(base.code): the base must be \(known.code), unless all "
                        + "rates are replaced.")
            }
            for rate in rates { try transaction.insert(rate) }
        }
    }

    /// The rates in effect today.
    package func list() async throws -> [ExchangeRate] {
        try await storage.read { try $0.rates(on: $0.now.day) }
    }
}
