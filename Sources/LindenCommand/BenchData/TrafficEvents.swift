import Linden
import LindenKernel

/// A generator of the events that users trigger in the apps.
struct TrafficEvents: Sendable {
    /// The apps' `click_conversion_window_days`: the number of days after a click within which events are attributed to it.
    static let creditedDays: Int64 = 7

    private let content: TrafficContent
    private let firstDay: Int64
    /// Rates by currency, one per day.
    private let rates: [Currency: [ExchangeRate]]
    /// The fields that an SDK reports for each phone model in each country, indexed by phone and country.
    private let phoneData: [[JSONObject]]
    private var orders = 0

    init(_ plan: TrafficPlan, content: TrafficContent, rates: [ExchangeRate]) {
        self.content = content
        firstDay = plan.days.lowerBound
        self.rates = Dictionary(grouping: rates, by: \.currency)
        phoneData = TrafficCatalog.phones.elements.map { phone in
            TrafficCatalog.countries.elements.map { country in
                [
                    "os": .string(phone.os), "os_version": .string(phone.osVersion), "brand": .string(phone.brand),
                    "model": .string(phone.model), "sdk": .string(phone.sdk), "environment": "FULL_APP",
                    "country": .string(country.code), "language": .string(country.language),
                ]
            }
        }
    }

    /// Adds an event and its effect on the totals of content to a batch.
    mutating func add(_ id: Event.ID, by user: TrafficUser, to batch: inout TrafficBatch, _ random: inout SeededRandom) {
        let name = TrafficCatalog.events.draw(&random)
        let standard = StandardEvent(rawValue: name)
        let day = id.time.day
        var body: JSONObject = ["name": .string(name), "user_data": .object(reported(by: user))]
        var facts = EventFacts(kind: standard?.kind ?? .custom, standard: standard)
        var revenue: Money?
        switch standard {
        case .purchase:
            let item = content.object(in: user.scope, &random)
            facts.commerce = purchase(item, in: TrafficCatalog.countries.elements[user.country].currency, &body, &random)
            revenue = converted(facts.commerce, on: day)
            batch.count(.purchase, of: content.objects[item].id, on: day, revenue: revenue)
        case .search:
            body["event_data"] = ["search_query": .string(TrafficCatalog.searches[random.roll(TrafficCatalog.searches.count)])]
        case .completeRegistration, .login: break
        case nil: body["custom_data"] = ["level": .string(String(1 + random.roll(40)))]
        case let standard?:
            let items = (0..<(standard == .viewItems ? 3 : 1)).map { _ in content.object(in: user.scope, &random) }
            body["content_items"] = .array(items.map { .object(content.item($0)) })
            if let action = standard.contentAction {
                for item in Set(items) { batch.count(action, of: content.objects[item].id, on: day) }
            }
        }
        batch.events.append(
            Event(
                id: id, scope: user.scope, endpoint: standard == nil ? "v2/event/custom" : "v2/event/standard", name: name,
                device: user.device, identity: user.identity.id, session: user.session, touch: touch(of: user, at: id.time),
                facts: facts, revenue: revenue, body: body, bodyText: JSON.object(body).text))
    }

    private mutating func purchase(
        _ item: Int, in currency: Currency, _ body: inout JSONObject, _ random: inout SeededRandom
    ) -> Commerce {
        let quantity = 1 + random.roll(3)
        let cents = content.cents(of: item) * quantity
        orders += 1
        var commerce = Commerce()
        commerce.revenueText = TrafficContent.amount(cents)
        commerce.revenue = Money(millionths: Int64(cents) * 10_000)
        commerce.currency = currency
        commerce.transactionID = "order-\(firstDay)-\(orders)"
        body["event_data"] = [
            "transaction_id": JSON(commerce.transactionID), "revenue": .decimal(TrafficContent.amount(cents)),
            "currency": .string(currency.code),
        ]
        let bought: JSONObject = ["$quantity": .integer(Int64(quantity)), "$currency": .string(currency.code)]
        body["content_items"] = [.object(content.item(item).merging(bought))]
        return commerce
    }

    private func converted(_ commerce: Commerce, on day: Int64) -> Money? {
        guard let revenue = commerce.revenue, let currency = commerce.currency, currency != .standard else {
            return commerce.revenue
        }
        return rates[currency]?[Int(day - firstDay)].inBase(revenue)
    }

    private func touch(of user: TrafficUser, at time: Timestamp) -> LastTouch? {
        guard let touch = user.touch, time < touch.click.time + .seconds(Self.creditedDays * 86400) else { return nil }
        let link = content.links[touch.link]
        let click = Click(
            id: touch.click, link: link.id, scope: user.scope, visitor: TrafficCatalog.phones.elements[user.phone].visitor,
            address: "", userAgent: "", referrer: nil, query: nil, reason: nil)
        return LastTouch(click: click)
    }

    /// The `user_data` that the SDK reports with each event.
    private func reported(by user: TrafficUser) -> JSONObject {
        var members = phoneData[user.phone][user.country]
        members["app_version"] = .string(user.appVersion)
        members[members["os"] == "iOS" ? "idfv" : "android_id"] = .string(user.hardwareID)
        if let name = user.identity.developerIdentity { members["developer_identity"] = .string(name) }
        return members
    }
}
