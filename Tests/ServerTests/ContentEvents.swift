import Linden
import LindenKernel
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// Events about content objects, and the statistics expected of them.
enum ContentEvents {
    static func report(_ exchange: Exchange, _ key: String, _ name: String, _ items: [JSON], _ data: JSONObject = [:])
        async throws
    {
        let answer = try await exchange.post(
            "/v2/event/standard",
            [
                "branch_key": .string(key), "name": .string(name), "event_data": .object(data), "content_items": .array(items),
            ])
        #expect(answer.status == 200)
    }

    static func statistics(
        views: Int64 = 0, shares: Int64 = 0, clicks: Int64 = 0, purchases: Int64 = 0, revenue: Int128 = 0
    ) -> ObjectStatistics {
        var statistics = ObjectStatistics()
        statistics.views = views
        statistics.shares = shares
        statistics.clicks = clicks
        statistics.purchases = purchases
        statistics.revenue = MoneySum(millionths: revenue)
        return statistics
    }

    static let pear: JSON = [
        "$canonical_identifier": "pear/1", "$og_title": "Pear", "$price": .decimal("2.5"), "$quantity": 2,
    ]
    static let apple: JSON = ["$canonical_identifier": "apple/1", "$price": 1]
}
