import Linden

/// `POST /v1/credits`, `/v1/redeem` and `/v1/reconcile`: so many credits, of a bucket, and why.
package struct CreditChangeRequest: Sendable {
    package let amount: CreditAmount
    package let bucket: Bucket
    private let fields: RequestFields

    package init(_ fields: RequestFields) throws {
        amount = try CreditAmount(try fields.integer("amount"))
        bucket = try fields.bucket
        self.fields = fields
    }

    package func grant(to holder: CreditHolder) -> CreditGrant {
        CreditGrant(holder: holder, amount: amount, bucket: bucket)
    }

    package func withdrawal(from holder: CreditHolder) -> CreditWithdrawal {
        CreditWithdrawal(holder: holder, amount: amount, bucket: bucket)
    }

    /// Why, beside who asks. Branch's calls say nothing of it; a server of yours may, and the history then tells it.
    package func reason(_ source: CreditCause.Source) throws -> CreditReason {
        var reason = CreditReason(source)
        guard source == .server else { return reason }
        reason.event = try eventName()
        reason.metadata = try fields.object("metadata")
        reason.referrer = fields.text("referrer")
        reason.referree = fields.text("referree")
        guard reason.metadata.map({ JSON.object($0).bytes.count <= CreditCause.longestMetadata }) ?? true else {
            throw Failure.invalid("metadata may have at most \(CreditCause.longestMetadata) bytes.")
        }
        guard reason.referrer == nil || reason.referree == nil else {
            throw Failure.invalid("Give referrer (who brought the user) or referree (whom the user brought), not both.")
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

    /// What `/v1/reconcile` answers with.
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
    /// The bucket that is named, or the standard one.
    var bucket: Bucket {
        get throws { try namedBucket ?? .standard }
    }

    /// Nil if none is named. What cannot be a name is refused rather than taken for none.
    var namedBucket: Bucket? {
        get throws {
            guard let value = self["bucket"], !value.isNull else { return nil }
            guard let name = value.scalarText else { throw Failure.invalid("bucket must be a string, not \(value.kind).") }
            return name.utf8.contains(0) ? try Bucket(name) : try text("bucket").map { try Bucket($0) }
        }
    }

    /// An object, or its text in a form; nil if it is not there.
    func object(_ key: String) throws -> JSONObject? {
        guard let value = self[key], !value.isNull, value.string?.isEmpty != true else { return nil }
        guard let object = value.object ?? value.string.flatMap({ try? JSON.parse($0) })?.object else {
            throw Failure.invalid("\(key) must be a JSON object, not \(value.kind).")
        }
        return object
    }
}
