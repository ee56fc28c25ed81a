import Linden
import LindenTesting
import Testing

/// Random operations, held against a reference that keeps nothing but what each user has in his pockets.
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
            for check in installation.services.verification.checks {
                let result = try await installation.services.verification.result(of: check)
                #expect(result.problems == [], "\(check.name)")
                if check.name == "credits.transactions" { #expect(result.examined > 1000) }
            }
        }
    }
}

/// What one user has of one kind.
private struct Pocket {
    private var lasting: Int64 = 0
    private var ending: [(amount: Int64, end: Timestamp)] = []

    var balance: Int64 { ending.reduce(lasting) { $0 + $1.amount } }

    mutating func add(_ amount: Int64, until end: Timestamp?) {
        if let end {
            ending.append((amount, end))
            ending.sort { $0.end < $1.end }
        } else {
            lasting += amount
        }
    }

    /// What ends first is spent first.
    mutating func spend(_ amount: Int64) {
        var left = amount
        while left > 0, !ending.isEmpty {
            let spent = min(left, ending[0].amount)
            left -= spent
            ending[0].amount -= spent
            if ending[0].amount == 0 { ending.removeFirst() }
        }
        lasting -= left
    }

    mutating func expire(at time: Timestamp) {
        ending.removeAll { $0.end <= time }
    }
}

/// The reference.
private struct LedgerModel {
    private struct Place: Hashable {
        let scope: Scope
        let user: String
        let bucket: String
    }

    var dice: Dice
    private var pockets: [Place: Pocket] = [:]
    private var transactions: [(id: CreditTransaction.ID, place: Place, amount: Int64, isReversed: Bool)] = []
    private var keys: [(scope: Scope, key: String, place: Place, amount: Int64, id: CreditTransaction.ID)] = []

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
        case 4..<7: try await withdraw(credits, place, amount, clips: false)
        case 7: try await withdraw(credits, place, amount, clips: true)
        case 8: try await reverse(credits)
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
        let receipt = try await credits.grant(
            try Self.grant(place, amount, until: end), CreditReason(.operator), try CreditCall(idempotencyKey: key),
            in: place.scope)
        pockets[place, default: Pocket()].add(amount, until: end)
        note(receipt, place, amount)
        if let key { keys.append((place.scope, key, place, amount, receipt.record.transaction.id)) }
    }

    private mutating func withdraw(_ credits: CreditService, _ place: Place, _ amount: Int64, clips: Bool) async throws {
        let withdrawal = CreditWithdrawal(
            holder: .named(place.user), amount: try CreditAmount(amount), bucket: try Bucket(place.bucket))
        let there = balance(place)
        let taken = clips ? min(amount, there) : amount
        do {
            let receipt =
                clips
                ? try await credits.reconcile(withdrawal, CreditReason(.operator), try CreditCall(), in: place.scope)
                : try await credits.redeem(withdrawal, CreditReason(.operator), try CreditCall(), in: place.scope)
            #expect(taken > 0 && there >= taken)
            pockets[place]?.spend(taken)
            note(receipt, place, -taken)
        } catch let failure as Failure {
            // Short, or nobody of that name or bucket was ever there.
            #expect(failure.code == .insufficient || failure.code == .invalid)
            #expect(there < taken || taken == 0, "\(failure)")
        }
    }

    private mutating func reverse(_ credits: CreditService) async throws {
        guard !transactions.isEmpty else { return }
        let index = dice.roll(transactions.count)
        let (id, place, amount, isReversed) = transactions[index]
        do {
            let entries = try await credits.reverse(id, try CreditCall(), in: place.scope)
            #expect(!isReversed && balance(place) >= amount)
            #expect(entries.map(\.amount).reduce(0, +) == 0)
            if amount > 0 { pockets[place]?.spend(amount) } else { pockets[place]?.add(-amount, until: nil) }
            #expect(entries[0].balanceAfter == balance(place))
            transactions[index].isReversed = true
        } catch let failure as Failure {
            #expect(failure.code == (isReversed ? .conflict : .insufficient))
            #expect(isReversed || balance(place) < amount)
        }
    }

    /// A call that comes once more, as it was or with another wish.
    private mutating func again(_ credits: CreditService) async throws {
        guard let (scope, key, place, amount, id) = keys.randomElement(using: &dice) else { return }
        let isSame = dice.roll(2) == 0
        do {
            let receipt = try await credits.grant(
                try Self.grant(place, isSame ? amount : amount + 1), CreditReason(.operator), try CreditCall(idempotencyKey: key),
                in: scope)
            #expect(isSame)
            #expect(receipt.record.transaction.id == id)
        } catch let failure as Failure {
            #expect(!isSame && failure.code == .conflict)
        }
    }

    private static func grant(_ place: Place, _ amount: Int64, until end: Timestamp? = nil) throws -> CreditGrant {
        CreditGrant(
            holder: .named(place.user), amount: try CreditAmount(amount), bucket: try Bucket(place.bucket), expiresAt: end)
    }

    private mutating func note(_ receipt: CreditReceipt, _ place: Place, _ change: Int64) {
        #expect(receipt.record.amount == change)
        #expect(receipt.record.balanceAfter == balance(place))
        transactions.append((receipt.record.transaction.id, place, change, false))
    }

    func compare(with credits: CreditService) async throws {
        for (place, pocket) in pockets {
            #expect(
                try await credits.balance(of: .named(place.user), in: try Bucket(place.bucket), place.scope) == pocket.balance)
        }
        #expect(pockets.values.contains { $0.balance > 0 })
    }
}
