import Linden
import LindenKernel
import LindenLedger
import LindenServices

/// The credits of a user, as the services answer them.
struct CreditAccount: Sendable {
    static let recordsPerPage = 25

    /// The user's reference.
    let reference: String
    /// The developer's id of the user; nil for an anonymous one.
    let name: String?
    let balances: [(bucket: Bucket, balance: Int64)]
    /// A page of the history, newest first.
    let records: [CreditRecord]
    let isFirstPage: Bool
    /// What was done on the page before: `granted`, `redeemed` or `reversed`; empty for nothing.
    let saved: String

    /// The transaction after which the next page begins; nil for the last page.
    var next: CreditTransaction.ID? { records.count == Self.recordsPerPage ? records.last?.transaction.id : nil }
}

extension [Block] {
    /// A user's balances and history, and the forms to change them.
    static func credits(_ account: CreditAccount, of app: AppContext, for role: DashboardUser.Role) -> [Block] {
        let (path, reference) = (PagePath.credits(app.scope), account.reference)
        let name = account.name?.withVisibleSpace ?? "an anonymous user"
        let mayChange = Access.appAdministrators.admits(role)
        var blocks: [Block] = []
        if let text = saved[account.saved] { blocks.append(.success(text)) }
        blocks.append(
            Block(
                facts: Facts([
                    ("User", Cell(name, href: PagePath.identity(reference, app.scope)))
                ])))
        blocks.append(
            .cards(
                account.balances.map { bucket, balance in
                    Card(cardLabel: bucket == .standard ? "Balance" : "Balance in \(bucket.name)", cardValue: balance.grouped)
                }))
        blocks.append(
            account.records.isEmpty
                ? Block(
                    empty: EmptyState(
                        emptyTitle: account.isFirstPage ? "No credits yet" : "No older transaction",
                        emptyText: "Each grant, reward, redemption and reversal is listed here."))
                : Block(table: .history(account.records, of: reference, in: path, mayReverse: mayChange)))
        if !account.isFirstPage || account.next != nil {
            let here = [("identity", reference)]
            blocks.append(
                Block(
                    pager: Pager(
                        firstHref: account.isFirstPage ? nil : PagePath.query(path, here),
                        nextHref: account.next.map { PagePath.query(path, here + [("cursor", String($0.rawValue))]) })))
        }
        if mayChange {
            blocks += [
                .heading("Grant credits"), Block(form: CreditForm.grant(path, identity: reference)), .heading("Redeem credits"),
                Block(form: CreditForm.redemption(path, identity: reference).withIDs(of: "redeem")),
            ]
        }
        return blocks + [Block(equivalents: .credits(of: reference, app))]
    }

    private static var saved: [String: String] {
        [
            "granted": "The credits were granted.", "redeemed": "The credits were redeemed.",
            "reversed": "The transaction was reversed.",
        ]
    }
}
