import Linden
import LindenKernel
import LindenLedger

/// The forms by which an administrator changes a user's credits.
enum CreditForm {
    static func grant(_ path: String, identity: String) -> Form { grant(path, identity, FormFields("")) }

    static func grant(_ path: String, _ identity: String, _ typed: FormFields) -> Form {
        Form(
            path + "/grants", submit: "Grant",
            amount(identity, typed) + [
                .text("expires_at", "Expire at (UTC)", typed["expires_at"], type: "datetime-local", hint: "Empty: never.")
            ])
    }

    static func redemption(_ path: String, identity: String) -> Form { redemption(path, identity, FormFields("")) }

    static func redemption(_ path: String, _ identity: String, _ typed: FormFields) -> Form {
        Form(path + "/redemptions", submit: "Redeem", amount(identity, typed))
    }

    /// The fields of an amount of a user's credits.
    private static func amount(_ identity: String, _ typed: FormFields) -> [Field] {
        [
            .retryKey(typed["retry_key"]), .hidden("identity", identity),
            .text("amount", "Credits", typed["amount"], type: "number", isRequired: true),
            .text("bucket", "Bucket", typed["bucket"], hint: "Empty: \(Bucket.standard.name)."),
        ]
    }

    static func reversal(
        _ path: String, of user: NamedUser, transaction: CreditTransaction.ID, _ typed: FormFields = FormFields("")
    ) -> Form {
        Form(
            path + "/reversals", submit: "Reverse the transaction", isDangerous: true,
            cancel: PagePath.query(path, [("identity", user.reference)]),
            [
                .retryKey(typed["retry_key"]), .hidden("identity", user.reference), .hidden("transaction", "\(transaction)"),
                .choice(
                    "fraud", "Reason", typed["fraud"],
                    [("", "a correction"), ("true", "fraud: shown as such in the user's history")]),
                .text(
                    "confirmation", "The user's id", typed["confirmation"],
                    hint:
                        "A transaction with the opposite amounts is added; this is possible once. To confirm, type "
                        + user.confirmation,
                    isRequired: true, hasFocus: true),
            ])
    }
}

extension FormFields {
    /// The fields that are not empty, as the members of a call. A time of a form has minutes and no zone: it is in UTC.
    func members(_ names: [String]) -> JSONObject {
        JSONObject(
            names.compactMap { name in
                guard let value = text(name) else { return nil }
                let isTime = name.hasSuffix("_at") && value.utf8.count == 16
                return (key: name, value: .string(isTime ? value + ":00Z" : value))
            })
    }
}
