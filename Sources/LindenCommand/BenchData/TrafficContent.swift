import Linden
import LindenKernel

/// The apps' content and links. Objects and links are drawn by Zipf's law, those with the lowest index most often.
struct TrafficContent: Sendable {
    let objects: [UniversalObject]
    let links: [Link]
    private let items: [JSONObject]
    private let prices: [Int]
    private let ranks: Weighted<Int>
    private let linkRanks: Weighted<Int>
    private let scopes: [Scope]
    /// The indices of each scope's objects.
    private let shelves: [[Int]]
    private let referrers: [(page: String, host: String)?]

    init(_ plan: TrafficPlan, scopes: [Scope], random: inout SeededRandom) {
        self.scopes = scopes
        // One hour before the first slot.
        let start = plan.start(of: 0) - 3_600_000
        let number = scopes.count * max(1, plan.links / (5 * scopes.count))
        let fruits = TrafficCatalog.fruits
        let prices = (0..<number).map { _ in 199 + random.roll(9000) }
        let items = (0..<number).map { index -> JSONObject in
            [
                "$canonical_identifier": .string("item/\(index + 1)"),
                "$og_title": .string("\(fruits[index % fruits.count]) \(index / fruits.count + 1)"),
                "$content_schema": "COMMERCE_PRODUCT", "$price": .decimal(Self.amount(prices[index])),
            ]
        }
        let objects = items.enumerated().map { index, item in
            UniversalObject(
                id: Identifier(rawValue: IDGenerator.first(at: Timestamp(milliseconds: start)) + Int64(index)),
                scope: scopes[index % scopes.count], canonicalIdentifier: "item/\(index + 1)", data: item,
                isAuthenticated: false)
        }
        let shelves = scopes.indices.map { scope in objects.indices.filter { $0 % scopes.count == scope } }
        let ranks = Weighted(zipf: number / scopes.count)
        var referrers: [(page: String, host: String)?] = []
        links = (0..<plan.links).map { index in
            let scope = index % scopes.count
            let channel = TrafficCatalog.channels.draw(&random)
            referrers.append(channel.referrer.map { ($0, String($0.split(separator: "/")[1])) })
            let labels = Labels(
                channel: channel.name, feature: TrafficCatalog.features.draw(&random),
                campaign: TrafficCatalog.campaigns.draw(&random),
                tags: random.happens(inThousand: 200) ? ["made-up"] : [])
            let object = random.happens(inThousand: 700) ? shelves[scope][ranks.draw(&random)] : nil
            var data: JSONObject = ["$deeplink_path": .string("page/\(index + 1)")]
            if let object { data.merge(items[object]) }
            let time = Timestamp(milliseconds: start + Int64(index))
            return Link(
                id: Identifier(rawValue: IDGenerator.first(at: time)), scope: scopes[scope],
                address: LinkAddress(host: "", path: Self.slug(&random)), hasAlias: false, kind: .standard, duration: nil,
                owner: nil, labels: labels, data: data, object: object.map { objects[$0].id }, source: .api, createdAt: time)
        }
        linkRanks = Weighted(zipf: plan.links)
        (self.items, self.prices) = (items, prices)
        (self.objects, self.shelves, self.ranks, self.referrers) = (objects, shelves, ranks, referrers)
    }

    func link(_ random: inout SeededRandom) -> Int { linkRanks.draw(&random) }

    func referrer(of link: Int) -> (page: String, host: String)? { referrers[link] }

    func object(in scope: Scope, _ random: inout SeededRandom) -> Int {
        shelves[scopes.firstIndex(of: scope) ?? 0][ranks.draw(&random)]
    }

    func item(_ object: Int) -> JSONObject { items[object] }

    /// The object's price in cents.
    func cents(of object: Int) -> Int { prices[object] }

    /// Formats cents as a decimal such as `12.70`.
    static func amount(_ cents: Int) -> String { "\(cents / 100)." + String(100 + cents % 100).dropFirst() }

    private static func slug(_ random: inout SeededRandom) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        return String((0..<11).map { _ in digits[random.roll(digits.count)] })
    }
}
