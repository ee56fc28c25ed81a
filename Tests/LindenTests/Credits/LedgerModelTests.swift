import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import Testing

/// Random operations on the ledger, compared with a reference model that keeps only each user's credits.
@Suite struct LedgerModelTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func theLedgerAgreesWithASimpleReference(seed: UInt64) async throws {
        try await Installation.run { installation in
            let app = try await installation.createApp()
            let other = try await installation.createApp("Other")
            let credits = installation.services.credits
            var model = LedgerModel(seed: seed)
            for step in 0..<2000 {
                let scope = model.dice.roll(8) == 0 ? other.live.key.scope : app.live.key.scope
                try await model.step(credits, in: scope, number: step, at: installation.clock.now)
                if model.dice.roll(20) == 0 {
                    installation.clock.advance(by: .seconds(3600))
                    try await credits.expire()
                    model.expire(at: installation.clock.now)
                }
            }
            try await model.compare(with: credits)
            for check in installation.services.verification.checks() {
                let result = try await installation.services.verification.result(of: check)
                #expect(result.problems == [], "\(check.name)")
                if check.name == "credits.transactions" { #expect(result.examined > 1000) }
            }
        }
    }
}

/// A user's credits in one bucket.
private struct Pocket {
    /// The remainder of a lot of expiring credits.
    struct Part {
        let grant: CreditTransaction.ID
        var amount: Int64
        let end: Timestamp
    }

    private var lasting: Int64 = 0
    private var ending: [Part] = []

    var balance: Int64 { ending.reduce(lasting) { $0 + $1.amount } }

    mutating func add(_ amount: Int64) { lasting += amount }

    mutating func add(_ part: Part) {
        ending.append(part)
        ending.sort { ($0.end, $0.grant) < ($1.end, $1.grant) }
    }

    /// Consumes first the lot of `grant`, then lots by earliest expiry, then credits without expiry. Returns the consumed expiring credits.
    mutating func spend(_ amount: Int64, first grant: CreditTransaction.ID? = nil) -> [Part] {
        var left = amount
        var spent: [Part] = []
        let own = ending.indices.filter { ending[$0].grant == grant }
        for index in own + ending.indices.filter({ !own.contains($0) }) where left > 0 && ending[index].amount > 0 {
            var part = ending[index]
            part.amount = min(left, part.amount)
            left -= part.amount
            ending[index].amount -= part.amount
            spent.append(part)
        }
        lasting -= left
        return spent
    }

    mutating func expire(at time: Timestamp) {
        ending.removeAll { $0.end <= time }
    }
}

/// The reference model.
private struct LedgerModel {
    private struct Place: Hashable {
        let scope: Scope
        let user: String
        let bucket: String
    }

    var dice: Dice
    private var pockets: [Place: Pocket] = [:]
    private struct Movement {
        let id: CreditTransaction.ID
        let place: Place
        let amount: Int64
        /// The expiry of a granted lot.
        var end: Timestamp?
        /// The expiring credits that a withdrawal consumed.
        var spent: [Pocket.Part] = []
        var isReversed = false
    }

    private var movements: [Movement] = []
    private var keys: [(scope: Scope, key: String, place: Place, amount: Int64, end: Timestamp?, id: CreditTransaction.ID)] = []

    init(seed: UInt64) {
        dice = Dice(seed: seed)
    }

    mutating func step(_ credits: CreditService, in scope: Scope, number: Int, at time: Timestamp) async throws {
        let place = Place(
            scope: scope, user: dice.pick(["ann", "bob", "carol", "dave"]), bucket: dice.pick(["default", "gold", "silver"]))
        let amount = Int64(dice.roll(20) + 1)
        switch dice.roll(10) {
        case 0..<4:
            let end = dice.roll(4) == 0 ? time + .seconds(dice.roll(20 * 3600) + 1) : nil
            try await grant(credits, place, amount, until: end, key: dice.roll(3) == 0 ? "key \(number)" : nil)
        case 4..<7: try await withdraw(credits, place, amount, clips: false, at: time)
        case 7: try await withdraw(credits, place, amount, clips: true, at: time)
        case 8: try await reverse(credits, at: time)
        default: try await again(credits)
        }
    }

    mutating func expire(at time: Timestamp) {
        for place in pockets.keys { pockets[place]!.expire(at: time) }
    }

    private func balance(_ place: Place) -> Int64 { pockets[place]?.balance ?? 0 }

    private mutating func grant(
        _ credits: CreditService, _ place: Place, _ amount: Int64, until end: Timestamp?, key: String?
    ) async throws {
        let receipt = try await credits.grantWithReceipt(
            try Self.grant(place, amount, until: end), RequestedCause(.operator), try CreditCall(idempotencyKey: key),
            in: place.scope)
        let id = receipt.record.transaction.id
        if let end {
            pockets[place, default: Pocket()].add(Pocket.Part(grant: id, amount: amount, end: end))
        } else {
            pockets[place, default: Pocket()].add(amount)
        }
        note(receipt, Movement(id: id, place: place, amount: amount, end: end))
        if let key { keys.append((place.scope, key, place, amount, end, receipt.record.transaction.id)) }
    }

    /// A user's credits without expired lots.
    private func current(_ place: Place, at time: Timestamp) -> Pocket {
        var pocket = pockets[place] ?? Pocket()
        pocket.expire(at: time)
        return pocket
    }

    private mutating func withdraw(_ credits: CreditService, _ place: Place, _ amount: Int64, clips: Bool, at time: Timestamp)
        async throws
    {
        let withdrawal = CreditWithdrawal(
            holder: .named(place.user), amount: try CreditAmount(amount), bucket: try Bucket(place.bucket))
        var pocket = current(place, at: time)
        let there = pocket.balance
        let taken = clips ? min(amount, there) : amount
        do {
            let receipt =
                clips
                ? try await credits.reconcile(withdrawal, RequestedCause(.operator), try CreditCall(), in: place.scope)
                : try await credits.redeemWithReceipt(withdrawal, RequestedCause(.operator), try CreditCall(), in: place.scope)
            #expect(taken > 0 && there >= taken)
            let spent = pocket.spend(taken)
            pockets[place] = pocket
            note(receipt, Movement(id: receipt.record.transaction.id, place: place, amount: -taken, spent: spent))
        } catch let failure as Failure {
            // Insufficient credits, or a user or bucket that does not exist.
            #expect(failure.code == .insufficient || failure.code == .invalid)
            #expect(there < taken || taken == 0, "\(failure)")
        }
    }

    private mutating func reverse(_ credits: CreditService, at time: Timestamp) async throws {
        guard !movements.isEmpty else { return }
        let index = dice.roll(movements.count)
        let undone = movements[index]
        let place = undone.place
        let hasEnded = undone.end.map { $0 <= time } ?? false
        do {
            let entries = try await credits.reverse(undone.id, try CreditCall(), in: place.scope)
            #expect(!undone.isReversed && !hasEnded)
            #expect(entries.map(\.amount).reduce(0, +) == 0)
            if undone.amount > 0 {
                var pocket = current(place, at: time)
                #expect(pocket.balance >= undone.amount)
                _ = pocket.spend(undone.amount, first: undone.id)
                pockets[place] = pocket
            } else {
                // Restored lots may have expired meanwhile; they count until expired credits are removed next.
                for part in undone.spent { pockets[place]!.add(part) }
                pockets[place]!.add(undone.spent.reduce(-undone.amount) { $0 - $1.amount })
            }
            #expect(entries[0].balanceAfter == balance(place))
            movements[index].isReversed = true
        } catch let failure as Failure {
            #expect(failure.code == (undone.isReversed || hasEnded ? .conflict : .insufficient))
            #expect(undone.isReversed || hasEnded || current(place, at: time).balance < undone.amount)
        }
    }

    /// Repeats an earlier call, with the same request or another amount.
    private mutating func again(_ credits: CreditService) async throws {
        guard let (scope, key, place, amount, end, id) = keys.randomElement(using: &dice) else { return }
        let isSame = dice.roll(2) == 0
        do {
            let receipt = try await credits.grantWithReceipt(
                try Self.grant(place, isSame ? amount : amount + 1, until: end), RequestedCause(.operator),
                try CreditCall(idempotencyKey: key), in: scope)
            #expect(isSame)
            #expect(receipt.record.transaction.id == id)
        } catch let failure as Failure {
            #expect(!isSame && failure.code == .conflict, "\(failure)")
        }
    }

    private static func grant(_ place: Place, _ amount: Int64, until end: Timestamp? = nil) throws -> CreditGrant {
        CreditGrant(
            holder: .named(place.user), amount: try CreditAmount(amount), bucket: try Bucket(place.bucket), expiresAt: end)
    }

    private mutating func note(_ receipt: CreditReceipt, _ movement: Movement) {
        #expect(receipt.record.amount == movement.amount)
        #expect(receipt.record.balanceAfter == balance(movement.place))
        movements.append(movement)
    }

    func compare(with credits: CreditService) async throws {
        for (place, pocket) in pockets {
            #expect(
                try await credits.balance(of: .named(place.user), in: try Bucket(place.bucket), place.scope) == pocket.balance)
        }
        #expect(pockets.values.contains { $0.balance > 0 })
    }
}
