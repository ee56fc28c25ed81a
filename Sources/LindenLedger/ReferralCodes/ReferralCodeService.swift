import Linden
import LindenKernel

/// Creates, checks and applies referral codes.
package struct ReferralCodeService: Sendable {
    private let storage: any LedgerStorage
    private let addresses: AddressPseudonymizer
    private let random: RandomSource

    package init(storage: any LedgerStorage, addresses: AddressPseudonymizer, random: RandomSource) {
        self.addresses = addresses
        self.storage = storage
        self.random = random
    }

    package func make(_ new: NewReferralCode, _ call: CreditCall, in scope: Scope) async throws -> ReferralCode {
        try new.check()
        try new.owner.check()
        let names = candidates(prefix: new.prefix)
        return try await storage.write { transaction in
            let owner = try new.owner.userToGive(in: scope, transaction).id
            let id: ReferralCode.ID = try call.idempotently(by: owner, asked: new.asked, in: scope, transaction) { claims in
                guard new.expiresAt.map({ $0 > transaction.now }) ?? true else {
                    throw Failure.invalid("expiration must be in the future.")
                }
                for name in names {
                    let code = ReferralCode(
                        id: try transaction.newID(), scope: scope, code: name, owner: owner, amount: new.amount,
                        bucket: new.bucket, frequency: new.frequency, recipient: new.recipient, expiresAt: new.expiresAt)
                    guard try transaction.insert(code) else { continue }
                    // Opening the app's account makes the bucket known before the first reward.
                    _ = try transaction.openCreditAccount(of: .app(.issued), code.bucket, in: scope)
                    try Ledger(transaction: transaction).take(claims, for: Identifier(rawValue: code.id.rawValue), in: scope)
                    return code.id
                }
                throw Failure(.conflict, "No free code with this prefix was found. Use another prefix.")
            }
            return try ReferralCodeRules(reader: transaction).known(id)
        }
    }

    /// Returns a valid code that the identity may apply, or that is its own. Fails with the reason if the identity may not apply it.
    package func check(_ code: String, for holder: AccountReference, in scope: Scope) async throws -> ReferralCode {
        try await storage.read { reader in
            let rules = ReferralCodeRules(reader: reader)
            let user = try holder.user(in: scope, reader)
            let found = try rules.valid(code, in: scope)
            if found.owner != user.id {
                try rules.checkApplicable(found, by: user, on: try rules.device(of: holder, user, orLater: false, in: scope))
            }
            return found
        }
    }

    /// Applies a code for an identity. The credits are granted in the transaction that records the code as used.
    ///
    /// - Parameter address: the address of a caller without the secret; nil for a server. Fails with `rateLimited` if the app's daily
    ///   limits of rewards are reached for this origin.
    package func apply(
        _ code: String, for holder: AccountReference, from address: ClientAddress?, _ call: CreditCall, in scope: Scope
    ) async throws -> ReferralCode {
        try holder.check()
        var origin: RewardOrigin?
        if let address { origin = try await addresses.rewardOrigin(address) }
        return try await storage.write { [origin] transaction in
            let (rules, limits) = (ReferralCodeRules(reader: transaction), DailyRewardLimits(transaction: transaction))
            let ledger = Ledger(transaction: transaction)
            let user = try holder.userToGive(in: scope, transaction)
            let asked = RequestFingerprint("apply \(code)")
            let id: ReferralCode.ID = try call.idempotently(by: user.id, asked: asked, in: scope, transaction) { claims in
                let device = try rules.device(of: holder, user, orLater: origin != nil, in: scope)
                let found = try rules.valid(code, in: scope)
                try rules.checkApplicable(found, by: user, on: device)
                try found.reward(user, on: device, ledger) {
                    guard let origin else { return }
                    if let exceeded = try limits.exceeded(by: origin, in: scope).first {
                        throw Failure(.rateLimited, "The referral code cannot be applied today: \(exceeded.reason)")
                    }
                    try limits.count(origin, in: scope)
                }
                try ledger.take(claims, for: Identifier(rawValue: found.id.rawValue), in: scope)
                return found.id
            }
            return try ReferralCodeRules(reader: transaction).known(id)
        }
    }

    /// Candidates for a code: six random letters and digits or, with a prefix, two to four. Later candidates are longer, so that they
    /// collide less.
    private func candidates(prefix: String?) -> [String] {
        guard let prefix else { return (0..<4).map { _ in random.codeCharacters(6) } }
        return [2, 2, 3, 3, 4, 4, 4, 4].map { prefix + random.codeCharacters($0) }
    }
}

/// A view of the data, as far as the rules of referral codes need it.
package protocol ReferralCodeRuleReader: ReferralCodeReader, AccountReader, ReferrerTraceReader, FraudSignalReader, CreditReader,
    AppReader
{}

/// The rules by which a referral code may be applied.
private struct ReferralCodeRules {
    let reader: any ReferralCodeRuleReader

    /// Returns a code that was created or applied before. Fails with `notFound`.
    func known(_ id: ReferralCode.ID) throws -> ReferralCode {
        guard let code = try reader.referralCode(id) else { throw Failure.notFound("The referral code is not there any more.") }
        return code
    }

    /// Returns the device named by the tokens, else the identity's own, so that omitting the device brings no advantage.
    /// To a server, one that was merely logged in by the user's name is not it, see ``DeviceReader/device(of:orLater:)``.
    func device(of holder: AccountReference, _ user: Identity, orLater: Bool, in scope: Scope) throws -> Device.ID? {
        if case .tokens(let tokens) = holder, let device = try reader.device(of: tokens, in: scope) { return device.id }
        return try reader.device(of: user.id, orLater: orLater)?.id
    }

    /// Returns a code that exists and has not expired. Fails with `notFound`.
    func valid(_ text: String, in scope: Scope) throws -> ReferralCode {
        guard let code = try reader.referralCode(text, in: scope) else {
            throw Failure.notFound("There is no referral code \(text).")
        }
        if let end = code.expiresAt, end <= reader.now { throw Failure.notFound("The referral code \(text) has expired.") }
        return code
    }

    /// Fails with the reason if an identity may not apply a code on a device.
    func checkApplicable(_ code: ReferralCode, by user: Identity, on device: Device.ID?) throws {
        let text = code.code
        if code.owner == user.id { throw Failure.invalid("The referral code \(text) is the user's own.") }
        let isStrict = try reader.app(code.scope.app)?.configuration.isStrict ?? false
        if let device, try ReferrerTrace(reader: reader, referrer: code.owner, isStrict: isStrict).isPhone(device) {
            throw Failure.invalid("The referral code \(text) belongs to another user of this device.")
        }
        if let device, try !reader.fraudSignals(of: device).isEmpty {
            throw Failure.invalid("Referral codes cannot be applied on this device.")
        }
        for claim in code.claims(user.id, device) where try reader.creditClaim(claim.text, in: code.scope) != nil {
            throw Failure.notFound("The referral code \(text) was applied before.")
        }
    }
}

extension ReferralCode {
    /// Grants the credits of the code. Skips a recipient whose balance would become too large, or who would get one bucket too many; fails
    /// with `conflict` if that applies to all.
    ///
    /// - Parameter count: counts one reward, and fails if it is beyond a limit. Called for each recipient.
    fileprivate func reward(_ user: Identity, on device: Device.ID?, _ ledger: Ledger, count: () throws -> Void) throws {
        var claims = claims(user.id, device)
        let parties: [(Identity.ID, Counterparty)] = [(user.id, .referrer(owner)), (owner, .referree(user.id))]
        let recipients = try parties.filter { recipient, _ in
            try rewards(recipient) && ledger.canAdd(amount.value, to: recipient, in: bucket, scope)
        }
        guard !recipients.isEmpty else {
            throw Failure(
                .conflict,
                """
                The account that the referral code \(code) rewards is full, or its user has credits in \(Bucket.mostOfUser) other \
                buckets, which is the limit.
                """)
        }
        for (recipient, counterparty) in recipients {
            try count()
            var cause = CreditCause(.code)
            cause.eventName = "referral_code"
            cause.metadata = ["referral_code": .string(code)]
            cause.counterparty = counterparty
            try ledger.post(
                .reward,
                [Posting(.user(recipient), bucket, amount.value), Posting(.app(.issued), bucket, -amount.value)],
                because: cause, claims: claims, in: scope)
            claims = []
        }
    }
}

extension NewReferralCode {
    fileprivate var asked: RequestFingerprint {
        RequestFingerprint(
            "code \(amount.value) \(bucket.name)",
            [
                "prefix": JSON(prefix), "frequency": .integer(frequency.rawValue), "recipient": .integer(recipient.rawValue),
                "until": expiresAt.map { .integer($0.milliseconds) } ?? .null,
            ])
    }
}

extension ReferralCode {
    fileprivate func rewards(_ user: Identity.ID) -> Bool {
        switch recipient {
        case .applier: user != owner
        case .owner: user == owner
        case .both: true
        }
    }

    /// The uniqueness keys of a code that may be applied only once per identity and device.
    fileprivate func claims(_ user: Identity.ID, _ device: Device.ID?) -> [UniquenessKey] {
        guard frequency == .oncePerUser else { return [] }
        return [.code(id, user: user)] + (device.map { [.code(id, device: $0)] } ?? [])
    }
}

extension RandomSource {
    /// Random capital letters and digits, without those that are easily confused.
    fileprivate func codeCharacters(_ count: Int) -> String {
        var generator = self
        let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ".utf8)
        return String(decoding: (0..<count).map { _ in alphabet.randomElement(using: &generator)! }, as: UTF8.self)
    }
}
