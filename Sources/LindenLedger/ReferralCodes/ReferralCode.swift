import Linden
import LindenKernel

/// A code that an identity shares. Applying it earns credits for the applier, the owner or both (Branch's SDKs before 2016, Web up to
/// 2.61).
package struct ReferralCode: Sendable {
    package typealias ID = Identifier<ReferralCode>

    /// How often a code may be applied, by Branch's numbers.
    package enum Frequency: Int64, Sendable {
        /// Any number of times.
        case unlimited = 0
        /// Once per identity.
        case oncePerUser = 1
    }

    /// The recipient of the credits, by Branch's numbers.
    package enum Recipient: Int64, Sendable {
        case applier = 0
        case owner = 2
        case both = 3
    }

    package static let longestPrefix = 48

    package let id: ID
    package let scope: Scope
    package let code: String
    /// The identity that created the code.
    package let owner: Identity.ID
    package let amount: CreditAmount
    package let bucket: Bucket
    package let frequency: Frequency
    package let recipient: Recipient
    package let expiresAt: Timestamp?

    package init(
        id: ID, scope: Scope, code: String, owner: Identity.ID, amount: CreditAmount, bucket: Bucket, frequency: Frequency,
        recipient: Recipient, expiresAt: Timestamp?
    ) {
        self.id = id
        self.scope = scope
        self.code = code
        self.owner = owner
        self.amount = amount
        self.bucket = bucket
        self.frequency = frequency
        self.recipient = recipient
        self.expiresAt = expiresAt
    }
}

/// A request to create a code.
package struct NewReferralCode: Sendable {
    package var owner: AccountReference
    package var amount: CreditAmount
    package var bucket: Bucket
    package var prefix: String?
    package var frequency: ReferralCode.Frequency
    package var recipient: ReferralCode.Recipient
    package var expiresAt: Timestamp?

    package init(
        owner: AccountReference, amount: CreditAmount, bucket: Bucket, prefix: String?, frequency: ReferralCode.Frequency,
        recipient: ReferralCode.Recipient, expiresAt: Timestamp?
    ) {
        self.owner = owner
        self.amount = amount
        self.bucket = bucket
        self.prefix = prefix
        self.frequency = frequency
        self.recipient = recipient
        self.expiresAt = expiresAt
    }

    func check() throws {
        guard let prefix else { return }
        guard (1...ReferralCode.longestPrefix).contains(prefix.utf8.count),
            prefix.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || $0 == 0x2D || $0 == 0x5F })
        else {
            throw Failure.invalid("prefix may have at most \(ReferralCode.longestPrefix) letters, digits, - and _.")
        }
    }
}

package protocol ReferralCodeReader {
    func referralCode(_ code: String, in scope: Scope) throws -> ReferralCode?
    func referralCode(_ id: ReferralCode.ID) throws -> ReferralCode?
}

package protocol ReferralCodeRepository: ReferralCodeReader {
    /// Inserts a code. False if the scope has a code of the same text.
    func insert(_ code: ReferralCode) throws -> Bool
}
