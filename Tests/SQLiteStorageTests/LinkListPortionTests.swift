import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// Pages of an app with more links than one transaction, or one page, reads.
@Suite struct LinkListPortionTests {
    @Test(arguments: LinkOrder.allCases)
    func aRareLinkIsFoundAmongVeryMany(order: LinkOrder) async throws {
        try await Installation.run { installation in
            let scope = try await installation.createApp().live.key.scope
            try await installation.sql { connection in
                try connection.execute(
                    """
                    INSERT INTO links (id, app_id, mode, host, path, has_alias, type, channel, data, creation_source, created_at,
                        updated_at)
                    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 110005)
                    SELECT n, \(scope.app), \(scope.mode), '', 'pears-' || n, 1, 0,
                        CASE WHEN n IN (1, 10001, 20000, 110003) THEN 'mail' ELSE 'sms' END, '{}', 0, 0, 0
                    FROM numbers
                    """)
            }
            var filter = LinkFilter()
            filter.channel = "mail"
            var (pages, last): ([[Int64]], Link.ID?) = ([], nil)
            repeat {
                let page = try await installation.services.linkLists.list(filter, of: scope, order: order, after: last, limit: 2)
                pages.append(page.links.map(\.id.rawValue))
                last = page.next
            } while last != nil && pages.count < 9
            #expect(pages == (order == .newest ? [[110_003, 20_000], [10_001, 1]] : [[1, 10_001], [20_000], [110_003]]))

            filter.channel = "letter"
            let none = try await installation.services.linkLists.list(filter, of: scope, order: order, limit: 2)
            #expect(none.links.isEmpty)
            #expect(none.next?.rawValue == (order == .newest ? 10_006 : 100_000))
            let end = try await installation.services.linkLists.list(filter, of: scope, order: order, after: none.next, limit: 2)
            #expect(end.links.isEmpty && end.next == nil)
        }
    }
}
