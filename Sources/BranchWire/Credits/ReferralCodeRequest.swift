import Linden
import LindenKernel
import LindenLedger

/// A request of `POST /v1/referralcode`, and the response of all calls about referral codes.
package enum ReferralCodeRequest {
    package static func code(_ fields: RequestFields, of owner: AccountReference) throws -> NewReferralCode {
        guard let frequency = ReferralCode.Frequency(rawValue: try fields.integer("calculation_type") ?? 1) else {
            throw Failure.invalid("calculation_type must be 0 (any number of times per user) or 1 (once per user).")
        }
        guard let recipient = ReferralCode.Recipient(rawValue: try fields.integer("location") ?? 0) else {
            throw Failure.invalid("location must be 0 (the user who applies the code), 2 (its creator) or 3 (both).")
        }
        return NewReferralCode(
            owner: owner, amount: try CreditAmount(try fields.integer("amount")), bucket: try fields.bucket,
            prefix: fields.text("prefix"), frequency: frequency, recipient: recipient, expiresAt: try expiration(fields))
    }

    /// Returns the time at which the code expires; a date means the beginning of that day.
    private static func expiration(_ fields: RequestFields) throws -> Timestamp? {
        guard let text = fields.text("expiration") else { return nil }
        guard let time = Timestamp(iso8601: text) ?? Timestamp(day: text) else {
            throw Failure.invalid(
                "expiration must be a day such as 2027-01-31, or a time with its zone such as 2027-01-31T18:00:00Z.")
        }
        return time
    }

    package static func response(_ code: ReferralCode) -> JSON {
        [
            "referral_code": .string(code.code),
            "app_id": .string(String(code.scope.app.rawValue)),
            "metadata": ["bucket": .string(code.bucket.name), "amount": .integer(code.amount.value)],
            "expiration": JSON(code.expiresAt?.iso8601),
            "calculation_type": .integer(code.frequency.rawValue),
            "location": .integer(code.recipient.rawValue),
        ]
    }
}
