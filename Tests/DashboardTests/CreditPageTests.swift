import Linden
import LindenKernel
import LindenLedger
import LindenServices
import Testing

@testable import Dashboard

/// The page about a user's credits, as a value.
@Suite struct CreditPageTests {
    private static func record(_ number: Int64, _ source: CreditCause.Source = .operator) -> CreditRecord {
        CreditRecord(
            transaction: CreditTransaction(
                id: Identifier(rawValue: Sample.id + number), scope: Sample.scope, kind: .grant, cause: CreditCause(source)),
            bucket: .standard, amount: 1500, balanceAfter: 2000, referrer: nil, referree: "bob", metadata: [:])
    }

    private static func blocks(
        _ records: [CreditRecord], isFirstPage: Bool = true, saved: String = "", _ role: DashboardUser.Role = .admin
    ) throws -> [Block] {
        let account = CreditAccount(
            reference: "ann", name: "ann", balances: [(.standard, 2000), (try Bucket("pears"), 5)], records: records,
            isFirstPage: isFirstPage, saved: saved)
        return .credits(account, of: Sample.app, for: role)
    }

    @Test func eachBucketHasItsBalance() throws {
        let blocks = try Self.blocks([], saved: "granted")
        #expect(
            blocks.cards == [
                Card(cardLabel: "Balance", cardValue: "2,000"), Card(cardLabel: "Balance in pears", cardValue: "5"),
            ])
        #expect(blocks.first == .success("The credits were granted."))
        #expect(blocks.facts.flatMap(\.factCells) == [Cell("ann", href: Sample.path + "/identities?identity=ann")])
        #expect(blocks.compactMap(\.empty).map(\.emptyTitle) == ["No credits yet"])
        #expect(try Self.blocks([], isFirstPage: false).compactMap(\.empty).map(\.emptyTitle) == ["No older transaction"])
    }

    @Test func onlyAdministratorsChangeCreditsAndNoReversalIsReversed() throws {
        let records = [Self.record(0), Self.record(1, .reversal)]
        let table = try #require(try Self.blocks(records).compactMap(\.table).first)
        let id = Sample.id
        #expect(
            table.rows[0].cells == [
                .time("2027-01-15T08:00:00.000Z"), Cell("grant"), .number(1500), .number(2000), Cell("default"),
                Cell("operator", note: "referred: bob"), .code("\(id)"),
                Cell("reverse", href: Sample.path + "/credits/reversals?identity=ann&transaction=\(id)"),
            ])
        #expect(table.rows[1].cells.last == Cell(""))
        #expect(try Self.blocks(records).contains(.heading("Redeem credits")))
        let support = try Self.blocks(records, .support)
        #expect(support.compactMap(\.table).first?.columns.last?.columnLabel == "Transaction")
        #expect(support.allSatisfy { $0.form == nil && $0.heading == nil })
    }

    @Test func aFullPageLeadsToTheNextOne() throws {
        let full = (0..<Int64(CreditAccount.recordsPerPage)).map { Self.record(100 - $0) }
        let here = Sample.path + "/credits?identity=ann"
        let next = here + "&cursor=\(Sample.id + 76)"
        #expect(try Self.blocks(full).compactMap(\.pager) == [Pager(nextHref: next)])
        #expect(try Self.blocks(full, isFirstPage: false).compactMap(\.pager) == [Pager(firstHref: here, nextHref: next)])
        #expect(try Self.blocks(Array(full.dropLast())).allSatisfy { $0.pager == nil })
        #expect(try Self.blocks([], isFirstPage: false).compactMap(\.pager) == [Pager(firstHref: here)])
    }
}
