/// Creates, checks and applies referral codes.
package struct ReferralCodeService: Sendable {
    private let storage: any Storage
    private let addresses: AddressPseudonymizer
    private let random: RandomSource

    package init(storage: any Storage, addresses: AddressPseudonymizer, random: RandomSource) {
        self.addresses = addresses
        self.storage = storage
        self.random = random
    }

    package func make(_ new: NewReferralCode, _ call: CreditCall, in scope: Scope) async throws -> ReferralCode {
        try new.check()
        try new.owner.check()
        let names = candidates(prefix: new.prefix)
        return try await storage.write { transaction in
            let owner = try transaction.userToGive(new.owner, in: scope).id
            let id: ReferralCode.ID = try transaction.idempotently(call, by: owner, asked: new.asked, in: scope) { claims in
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
                    try transaction.take(claims, for: Identifier(rawValue: code.id.rawValue), in: scope)
                    return code.id
                }
                throw Failure(.conflict, "No free code with this prefix was found. Use another prefix.")
            }
            return try transaction.knownReferralCode(id)
        }
    }

    /// Returns a valid code that the identity may apply, or that is its own. Fails with the reason if the identity may not apply it.
    package func check(_ code: String, for holder: AccountReference, in scope: Scope) async throws -> ReferralCode {
        try await storage.read { reader in
            let user = try reader.user(holder, in: scope)
            let found = try reader.validReferralCode(code, in: scope)
            if found.owner != user.id {
                try reader.checkApplicable(found, by: user, on: try reader.device(of: holder, user, in: scope), in: scope)
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
            let user = try transaction.userToGive(holder, in: scope)
            let id: ReferralCode.ID = try transaction.idempotently(
                call, by: user.id, asked: RequestFingerprint("apply \(code)"), in: scope
            ) {
                claims in
                let device = try transaction.device(of: holder, user, in: scope)
                let code = try transaction.validReferralCode(code, in: scope)
                try transaction.checkApplicable(code, by: user, on: device, in: scope)
                if let origin, let exceeded = try transaction.exceededLimits(of: origin, in: scope).first {
                    throw Failure(.rateLimited, "The referral code cannot be applied today: \(exceeded.reason)")
                }
                try transaction.reward(user, on: device, by: code)
                if let origin { try transaction.count(rewardFrom: origin, in: scope) }
                try transaction.take(claims, for: Identifier(rawValue: code.id.rawValue), in: scope)
                return code.id
            }
            return try transaction.knownReferralCode(id)
        }
    }

    /// Candidates for a code: six random letters and digits or, with a prefix, two to four. Later candidates are longer, so that they
    /// collide less.
    private func candidates(prefix: String?) -> [String] {
        guard let prefix else { return (0..<4).map { _ in random.codeCharacters(6) } }
        return [2, 2, 3, 3, 4, 4, 4, 4].map { prefix + random.codeCharacters($0) }
    }
}

extension Reader {
    fileprivate func knownReferralCode(_ id: ReferralCode.ID) throws -> ReferralCode {
        guard let code = try referralCode(id) else { throw Failure.notFound("The referral code is not there any more.") }
        return code
    }

    /// Returns the device named by the tokens, else the identity's own, so that omitting the device brings no advantage.
    fileprivate func device(of holder: AccountReference, _ user: Identity, in scope: Scope) throws -> Device.ID? {
        if case .tokens(let tokens) = holder, let device = try device(of: tokens, in: scope) { return device.id }
        return try device(of: user.id)?.id
    }

    /// Returns a code that exists and has not expired. Fails with `notFound`.
    fileprivate func validReferralCode(_ text: String, in scope: Scope) throws -> ReferralCode {
        guard let code = try referralCode(text, in: scope) else { throw Failure.notFound("There is no referral code \(text).") }
        if let end = code.expiresAt, end <= now { throw Failure.notFound("The referral code \(text) has expired.") }
        return code
    }

    /// Fails with the reason if an identity may not apply a code on a device.
    fileprivate func checkApplicable(_ code: ReferralCode, by user: Identity, on device: Device.ID?, in scope: Scope) throws {
        let text = code.code
        if code.owner == user.id { throw Failure.invalid("The referral code \(text) is the user's own.") }
        if let device, try wasUsed(device, by: code.owner) || isSamePhone(device, asOneOf: code.owner) {
            throw Failure.invalid("The referral code \(text) belongs to another user of this device.")
        }
        if let device, try !suspicions(against: device).isEmpty {
            throw Failure.invalid("Referral codes cannot be applied on this device.")
        }
        for claim in code.claims(user.id, device) where try creditClaim(claim.text, in: scope) != nil {
            throw Failure.notFound("The referral code \(text) was applied before.")
        }
    }
}

extension Transaction {
    /// Grants the credits of a code. Skips a recipient whose balance would become too large; fails with `conflict` if that applies to all.
    fileprivate func reward(_ user: Identity, on device: Device.ID?, by code: ReferralCode) throws {
        var claims = code.claims(user.id, device)
        let parties: [(Identity.ID, Counterparty)] = [(user.id, .referrer(code.owner)), (code.owner, .referree(user.id))]
        let recipients = try parties.filter { recipient, _ in
            try code.rewards(recipient) && creditBalance(of: recipient, in: code.bucket) <= CreditAmount.largest - code.amount.value
        }
        guard !recipients.isEmpty else {
            throw Failure(.conflict, "The account that the referral code \(code.code) rewards is full.")
        }
        for (recipient, counterparty) in recipients {
            var cause = CreditCause(.code)
            cause.eventName = "referral_code"
            cause.metadata = ["referral_code": .string(code.code)]
            cause.counterparty = counterparty
            try post(
                .reward,
                [
                    Posting(.user(recipient), code.bucket, code.amount.value),
                    Posting(.app(.issued), code.bucket, -code.amount.value),
                ], because: cause, claims: claims, in: code.scope)
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
