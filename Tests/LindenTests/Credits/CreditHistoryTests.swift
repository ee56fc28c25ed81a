import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import Testing

/// The history of a user's credits, page by page.
@Suite struct CreditHistoryTests {
    @Test(arguments: [1, 2, 7, 100] as [Int64])
    func pagesOfAnyLengthMakeUpTheHistoryOfAllBuckets(length: Int64) async throws {
        try await Installation.run { installation in
            let scope = try await installation.createApp().live.key.scope
            let credits = installation.services.credits
            var given: [(id: CreditTransaction.ID, bucket: String)] = []
            for number in 0..<36 {
                // Most are in one bucket, so that a page may be filled by it alone.
                let bucket = number % 4 == 0 ? ["gold", "silver", "default"][number / 4 % 3] : "bronze"
                for name in ["ann", "bob"] {
                    let id = try await credits.grant(
                        CreditGrant(holder: .named(name), amount: CreditAmount(1), bucket: Bucket(bucket)),
                        RequestedCause(.operator), CreditCall(), in: scope)
                    if name == "ann" { given.append((id, bucket)) }
                }
            }
            for bucket in [nil, "bronze", "gold"] {
                let oldest = given.filter { bucket == nil || $0.bucket == bucket }.map(\.id)
                for direction in [CreditHistoryQuery.Direction.oldestFirst, .newestFirst] {
                    var (listed, page): ([CreditTransaction.ID], [CreditRecord]) = ([], [])
                    repeat {
                        let query = try CreditHistoryQuery(
                            bucket: bucket.map { try Bucket($0) }, after: listed.last, length: length, direction: direction)
                        page = try await credits.history(query, of: .named("ann"), in: scope)
                        #expect(page.count <= length)
                        listed += page.map(\.transaction.id)
                    } while !page.isEmpty
                    #expect(listed == (direction == .oldestFirst ? oldest : oldest.reversed()))
                }
            }
        }
    }
}
