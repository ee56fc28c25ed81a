import Linden
import LindenKernel
import LindenLedger

/// A request of `POST /v1/credits`, `/v1/redeem` or `/v1/reconcile`: an amount, a bucket and a reason.
package struct CreditChangeRequest: Sendable {
    package let amount: CreditAmount
    package let bucket: Bucket
    private let fields: RequestFields

    package init(_ fields: RequestFields) throws {
        amount = try CreditAmount(try fields.integer("amount"))
        bucket = try fields.bucket
        self.fields = fields
    }

    package func grant(to holder: AccountReference) -> CreditGrant {
        CreditGrant(holder: holder, amount: amount, bucket: bucket)
    }

    package func withdrawal(from holder: AccountReference) -> CreditWithdrawal {
        CreditWithdrawal(holder: holder, amount: amount, bucket: bucket)
    }

    /// Returns the reason of the posting. Branch's calls have no field for it; a caller with the secret may add `event`, `metadata`,
    /// `referrer` or `referree`, which the credit history then shows.
    package func reason(_ source: CreditCause.Source) throws -> RequestedCause {
        var reason = RequestedCause(source)
        guard source == .server else { return reason }
        reason.event = try eventName()
        reason.metadata = try fields.object("metadata")
        reason.referrer = fields.text("referrer")
        reason.referree = fields.text("referree")
        guard reason.metadata.map({ $0.size <= CreditCause.longestMetadata }) ?? true else {
            let (most, each) = (CreditCause.longestMetadata, MemberSizes.valueBytes)
            throw Failure.invalid("metadata may have at most \(most) bytes. Each value counts \(each) more.")
        }
        guard reason.referrer == nil || reason.referree == nil else {
            throw Failure.invalid("Give referrer (the user's referrer) or referree (a user that this user referred), not both.")
        }
        return reason
    }

    private func eventName() throws -> String? {
        guard let name = fields.text("event") else { return nil }
        guard name.unicodeScalars.count <= RewardRule.longestEvent else {
            throw Failure.invalid("event may have at most \(RewardRule.longestEvent) characters.")
        }
        return name
    }

    /// Returns the response to `/v1/reconcile`.
    package static func response(_ receipt: CreditReceipt, _ ids: PublicIDs) -> JSON {
        let record = receipt.record
        return [
            "app_id": .string(String(record.transaction.scope.app.rawValue)),
            "identity_id": .string(ids.string(for: receipt.user.id)),
            "date": .string(record.transaction.id.time.iso8601),
            "id": .string(String(record.transaction.id.rawValue)),
            "bucket": .string(record.bucket.name),
            "type": .integer(record.transaction.kind.rawValue),
            "amount": .integer(record.amount),
        ]
    }
}

extension RequestFields {
    /// The named bucket, or the standard bucket if none is named.
    var bucket: Bucket {
        get throws { try namedBucket ?? .standard }
    }

    /// The named bucket, or nil if none is named. Fails with `invalid` for a value that cannot be a name, instead of ignoring it.
    var namedBucket: Bucket? {
        get throws {
            guard let value = self["bucket"], !value.isNull else { return nil }
            guard let name = value.scalarText else { throw Failure.invalid("bucket must be a string, not \(value.kind).") }
            return name.utf8.contains(0) ? try Bucket(name) : try text("bucket").map { try Bucket($0) }
        }
    }

    /// Returns an object, which a form sends as JSON text; nil if absent. Fails with `invalid` for anything else.
    func object(_ key: String) throws -> JSONObject? {
        guard let value = self[key], !value.isNull, value.string?.isEmpty != true else { return nil }
        guard let object = value.openedObject else {
            throw Failure.invalid("\(key) must be a JSON object, not \(value.kind).")
        }
        return object
    }
}
