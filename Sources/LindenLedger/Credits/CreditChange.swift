import Linden
import LindenKernel

/// A caller's reference to the identity whose credits a call is about.
package enum AccountReference: Sendable {
    /// The developer's id.
    case named(String)
    /// The tokens of the user's SDK.
    case tokens(UserTokens)
    /// An operator's reference: the developer's id or, if there is none of that name, the public id. The identity that a reference such as
    /// `identity_512843097116349012` stands for comes before one of that name: a stranger may have given it to a user.
    case reference(String, id: Identity.ID?)
}

/// A view of the data, as far as an ``AccountReference`` is resolved in it.
package protocol AccountReader: IdentityReader, DeviceReader {}

/// A read-write transaction that can also create the identity of an ``AccountReference``.
package protocol AccountTransaction: AccountReader, IdentityRepository, SnapshotReader, IDSource {}

extension AccountReference {
    /// Returns the identity; nil if the scope has no such identity.
    func find(in scope: Scope, _ reader: any AccountReader) throws -> Identity? {
        switch self {
        case .named(let name): try reader.identity(name, in: scope)
        case .tokens(let tokens):
            try reader.reportedUser(of: tokens, device: try reader.device(of: tokens, in: scope), in: scope)
        case .reference(let name, let id):
            try referenced(name, by: id, in: scope, reader)
        }
    }

    private func referenced(_ name: String, by id: Identity.ID?, in scope: Scope, _ reader: any AccountReader) throws -> Identity? {
        let byID = try id.flatMap { try reader.identity($0) }.flatMap { $0.scope == scope ? $0 : nil }
        if let byID, name.hasPrefix(Identity.referencePrefix) { return byID }
        return try reader.identity(name, in: scope) ?? byID
    }

    /// Returns the identity. Fails with `invalid` if the scope has no such identity.
    func user(in scope: Scope, _ reader: any AccountReader) throws -> Identity {
        guard let user = try find(in: scope, reader) else { throw Failure.noSuchUser }
        return user
    }

    /// Returns the identity. Creates it for an unknown developer's id; fails with `invalid` for unknown tokens.
    func userToGive(in scope: Scope, _ transaction: any AccountTransaction) throws -> Identity {
        if let user = try find(in: scope, transaction) { return user }
        switch self {
        case .named(let name), .reference(let name, _): return try transaction.identity(named: name, in: scope)
        case .tokens: throw Failure.noSuchUser
        }
    }

    /// Fails with `invalid` for an invalid developer's id.
    func check() throws {
        switch self {
        case .named(let name), .reference(let name, _): try Identity.check(developerIdentity: name)
        case .tokens: break
        }
    }
}

extension Failure {
    /// The failure for an unknown identity. Not `notFound`: Android SDKs up to 3.x fail their whole queue on a 404.
    static let noSuchUser = Failure.invalid("There is no such identity.")
}

/// A request to grant credits to an identity.
package struct CreditGrant: Sendable {
    package var holder: AccountReference
    package var amount: CreditAmount
    package var bucket: Bucket
    /// When the credits expire, unless they are spent before; nil for never.
    package var expiresAt: Timestamp?

    package init(holder: AccountReference, amount: CreditAmount, bucket: Bucket = .standard, expiresAt: Timestamp? = nil) {
        self.holder = holder
        self.amount = amount
        self.bucket = bucket
        self.expiresAt = expiresAt
    }
}

/// A request to take credits from an identity.
package struct CreditWithdrawal: Sendable {
    package var holder: AccountReference
    package var amount: CreditAmount
    package var bucket: Bucket

    package init(holder: AccountReference, amount: CreditAmount, bucket: Bucket = .standard) {
        self.holder = holder
        self.amount = amount
        self.bucket = bucket
    }
}

/// The cause of a movement of credits as a caller gives it: identities are named, and not resolved yet.
package struct RequestedCause: Sendable {
    package var source: CreditCause.Source
    package var event: String?
    package var metadata: JSONObject?
    /// The developer's id of the counterparty.
    package var referrer: String?
    package var referree: String?

    package init(_ source: CreditCause.Source) {
        self.source = source
    }
}

/// The result of a movement: the entry of the identity that it was requested for.
package struct CreditReceipt: Sendable {
    package let user: Identity
    package let record: CreditRecord
}

extension RequestedCause {
    /// Returns the cause with the identities that it names. Fails with `invalid` if the scope has no such identity.
    func resolved(in scope: Scope, _ reader: any IdentityReader) throws -> CreditCause {
        var cause = CreditCause(source)
        cause.eventName = event
        cause.metadata = metadata
        func known(_ name: String) throws -> Identity.ID {
            guard let identity = try reader.identity(name, in: scope) else {
                throw Failure.invalid("There is no identity \(name).")
            }
            return identity.id
        }
        if let referrer { cause.counterparty = .referrer(try known(referrer)) }
        if let referree { cause.counterparty = .referree(try known(referree)) }
        return cause
    }
}

extension CreditReceipt {
    /// Reads the entry of an identity in a transaction. Fails with `notFound`.
    init(of id: CreditTransaction.ID, for user: Identity, _ reader: any CreditReader) throws {
        guard let record = try reader.creditRecord(of: id, for: user.id) else { throw Failure.noSuchTransaction(id) }
        self.init(user: user, record: record)
    }
}
