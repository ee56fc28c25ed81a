import Linden
import LindenAPI
import LindenKernel
import LindenLedger

extension Table {
    /// A user's transactions, newest first.
    static func history(_ records: [CreditRecord], of identity: String, in path: String, mayReverse: Bool) -> Table {
        var columns = [
            Column(columnLabel: "Time"), Column(columnLabel: "Kind"), Column(columnLabel: "Credits", isNumber: true),
            Column(columnLabel: "Balance", isNumber: true), Column(columnLabel: "Bucket"), Column(columnLabel: "Cause"),
            Column(columnLabel: "Transaction"),
        ]
        if mayReverse { columns.append(Column(columnLabel: "Change")) }
        return Table(
            "History", columns,
            records.map { record in
                let view = record.view
                let id = view["transaction"]?.string ?? ""
                let others = [("referrer", view["referrer"]), ("referred", view["referree"])]
                    .compactMap { name, value in value?.string.map { "\(name): \($0)" } }
                var cells = [
                    Cell.time(view["date"]?.string ?? ""), Cell(view["kind"]?.string ?? ""), Cell.number(record.amount),
                    Cell.number(record.balanceAfter), Cell(record.bucket.name),
                    Cell(
                        [view["source"]?.string, view["event"]?.string].compactMap { $0 }.joined(separator: ": "),
                        note: view["reverses"]?.string.map { "reverses \($0)" }
                            ?? (others.isEmpty ? nil : others.joined(separator: ", "))), Cell.code(id),
                ]
                if mayReverse {
                    let canBeReversed = ![.reversal, .merge].contains(record.transaction.cause.source)
                    cells.append(
                        canBeReversed
                            ? Cell(
                                "reverse",
                                href: PagePath.query(path + "/reversals", [("identity", identity), ("transaction", id)]))
                            : Cell(""))
                }
                return cells
            }, isCaptionVisible: true)
    }
}

extension Facts {
    /// What is to be reversed.
    static func transaction(_ record: CreditRecord, _ user: NamedUser) -> Facts {
        Facts([
            ("User", Cell(user.shown, note: user.reference)), ("Transaction", Cell.code("\(record.transaction.id)")),
            ("Time", Cell.time(record.transaction.id.time.iso8601)), ("Kind", Cell(record.transaction.kind.name)),
            ("Credits", Cell(record.amount.grouped)), ("Bucket", Cell(record.bucket.name)),
        ])
    }
}

extension Equivalents {
    static func credits(of identity: String, _ app: AppContext) -> Equivalents {
        let (key, name) = (app.key.branchKey, identity.shellQuoted)
        return Equivalents(
            command: """
                linden credits balance \(name) --app \(key)
                linden credits history \(name) --app \(key)
                linden credits grant \(name) AMOUNT --app \(key)
                linden credits redeem \(name) AMOUNT --app \(key)
                linden credits reverse TRANSACTION --app \(key)
                """,
            call: "GET " + PagePath.query("/api/v1/credits", [("app", key), ("identity", identity)]) + "\nGET "
                + PagePath.query("/api/v1/credits/history", [("app", key), ("identity", identity)])
                + "\nPOST /api/v1/credits/grants?app=\(key)\nPOST /api/v1/credits/redemptions?app=\(key)"
                + "\nPOST /api/v1/credits/reversals?app=\(key)")
    }
}
