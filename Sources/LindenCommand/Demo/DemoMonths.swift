import BranchWire
import Linden
import LindenKernel
import LindenLedger
import LindenServices
import Logging
import SQLiteStorage

/// The demo's app with two months of clicks, installs, opens, events and credits, of which the dashboard compares the second with the first.
///
/// All of it is made by the services that answer SDKs, on a clock that moves from act to act, so figures, explanations and credits are the
/// server's own. On the same day the same happens, except for keys and ids.
struct DemoMonths {
    static let days: Int64 = 60

    private let services: Services
    private let clock: DemoClock
    private let app: AppContext
    private var random = SeededRandom(seed: 20)
    private var calendar: DemoCalendar
    private var people = DemoPeople()
    private var users: [DemoUser] = []
    private var links: [Int] = []
    private var orders = 0

    /// Fills a new database. Returns the app, and the user who may see it in the dashboard.
    static func fill(_ settings: Settings, until now: Timestamp) async throws -> (app: CreatedApp, access: DemoAccess?) {
        let calendar = DemoCalendar(days: days, until: now)
        let clock = DemoClock(calendar.start)
        // Durability is for what cannot be made again.
        let options = SQLiteOptions(
            durability: .normal, readers: 1, analysts: 1, checkpoints: true, creates: true, pendingClickLimit: 1_000_000)
        let storage = try SQLiteStorage(path: settings.database.path(for: "linden demo"), options: options, clock: clock.clock)
        do {
            let services = Services(
                storage: storage, installationKey: try await storage.installationKey(random: .system),
                baseURL: try settings.standardBaseURL(), clock: clock.clock, country: DemoPeople.country,
                passwords: standardPasswordHasher())
            let app = try await services.apps.create(DemoStory.app)
            var months = DemoMonths(
                services: services, clock: clock, app: try await services.apps.context(app.live.key.branchKey), calendar: calendar)
            try await months.prepare()
            try await months.run()
            clock.move(to: now)
            try await services.maintenance.mergePendingClicks()
            try await services.maintenance.count()
            let access = try await DemoAccess.create(services)
            await storage.shutdown()
            return (app, access)
        } catch {
            await storage.shutdown()
            throw error
        }
    }

    private init(services: Services, clock: DemoClock, app: AppContext, calendar: DemoCalendar) {
        self.services = services
        self.clock = clock
        self.app = app
        self.calendar = calendar
    }

    private mutating func prepare() async throws {
        calendar.plan(clicksPerDay: 60, organicInstallsPerDay: 3, &random)
        try await services.rates.load(
            DemoCatalog.rates.compactMap { code, rate in
                Currency(code).map { ExchangeRate(currency: $0, base: .standard, day: calendar.start.day, rate: rate) }
            }, base: .standard)
        for (event, recipient, amount) in [("install", .referrer, 10), ("PURCHASE", .actor, 2)]
            as [(String, RewardRule.Recipient, Int64)]
        {
            let rule = NewRewardRule(event: event, recipient: recipient, amount: try CreditAmount(amount))
            _ = try await services.rewards.add(rule, to: app.scope, try CreditCall())
        }
    }

    private mutating func run() async throws {
        for minute in 0..<calendar.minutes {
            // An act may add others to its own minute.
            var done = 0
            while done < calendar.acts(at: minute).count {
                clock.move(to: calendar.time(of: minute) + .milliseconds(Int64(done) * 700 + Int64(random.roll(500))))
                try await perform(calendar.acts(at: minute)[done], at: minute)
                done += 1
            }
        }
    }

    private mutating func perform(_ act: DemoCalendar.Act, at minute: Int) async throws {
        switch act {
        case .createLink(let index): try await createLink(index)
        case .click: try await click(at: minute)
        case .neighboursClick(let visitor):
            let link = drawnLink()
            _ = try await visit(link, by: visitor, visitor.phone.userAgent)
        case .organicInstall: try await install(people.next(&random), clickID: nil, at: minute)
        case .install(let visitor, let clickID): try await install(visitor, clickID: clickID, at: minute)
        case .open(let user): try await open(user, url: nil, at: minute)
        case .openLink(let user, let url): try await open(user, url: url, at: minute)
        case .event(let user, let name): try await report(name, by: users[user])
        case .redeem: try await redeem()
        }
    }

    // MARK: Links and clicks

    private mutating func createLink(_ index: Int) async throws {
        let planned = DemoCatalog.links[index]
        let new = NewLink(
            alias: planned.alias,
            labels: Labels(
                channel: planned.channel, feature: planned.feature, campaign: planned.campaign, tags: planned.tags),
            data: ["$deeplink_path": .string(planned.path), "$og_title": .string(planned.title)], identity: planned.sharer)
        _ = try await services.links.create(new, for: app)
        links.append(index)
    }

    private mutating func click(at minute: Int) async throws {
        let link = drawnLink()
        let kind = random.roll(100)
        // One click in eight is by a user of the app.
        let user = kind < 12 && !users.isEmpty ? random.roll(users.count) : nil
        let visitor = user.map { users[$0].visitor } ?? people.next(&random)
        let userAgent =
            switch kind {
            case 92...: DemoCatalog.robots.draw(&random)
            case 68..<92: DemoCatalog.computers.draw(&random)
            default: visitor.phone.userAgent
            }
        guard let clicked = try await visit(link, by: visitor, userAgent), kind < 68 else { return }
        if let user {
            return calendar.add(.openLink(user, url: services.baseURL.text + "/" + link.alias), at: minute)
        }
        // Some install only after the click's window.
        let delay = random.happens(inThousand: 80) ? 125 + random.roll(50) : 1 + random.roll(40)
        guard random.happens(inThousand: 230) else { return }
        // Google Play passes the click's id on; the App Store does not.
        let isPassed = visitor.phone.level != nil && random.happens(inThousand: 800)
        if !isPassed, random.happens(inThousand: 150) {
            calendar.add(.neighboursClick(people.neighbour(of: visitor, &random)), at: minute + 1)
        }
        calendar.add(.install(visitor, clickID: isPassed ? clicked.clickID : nil), at: minute + delay)
    }

    private mutating func drawnLink() -> DemoCatalog.PlannedLink {
        DemoCatalog.links[Weighted(links.map { ($0, DemoCatalog.links[$0].weight) }).draw(&random)]
    }

    private func visit(
        _ link: DemoCatalog.PlannedLink, by visitor: DemoVisitor, _ userAgent: String
    ) async throws -> VisitResult? {
        try await services.clicks.visit(
            Visit(
                host: services.baseURL.host, path: "/" + link.alias, userAgent: userAgent,
                referrer: DemoCatalog.referrers[link.channel], address: visitor.address, language: visitor.country.language))
    }

    // MARK: Sessions and events

    private mutating func install(_ visitor: DemoVisitor, clickID: String?, at minute: Int) async throws {
        let name = random.happens(inThousand: 550) ? "user-\(users.count + 1)" : nil
        var body = visitor.description
        if let name { body["identity"] = .string(name) }
        if let clickID { body["link_identifier"] = .string(clickID) }
        let session = try await start(.install, body, from: visitor.address)
        users.append(
            DemoUser(
                visitor: visitor, name: name, device: services.publicIDs.string(for: session.device),
                identity: services.publicIDs.string(for: session.identity.id), session: services.publicIDs.string(for: session.id)))
        let user = users.count - 1
        if name != nil { calendar.add(.event(user, "COMPLETE_REGISTRATION"), at: minute + 1) }
        planEvents(of: user, at: minute)
        planReturns(of: user, from: minute)
    }

    private mutating func open(_ user: Int, url: String?, at minute: Int) async throws {
        var body = users[user].visitor.description.merging(users[user].tokens)
        if let url { body["universal_link_url"] = .string(url) }
        let session = try await start(.open, body, from: users[user].visitor.address)
        users[user].session = services.publicIDs.string(for: session.id)
        planEvents(of: user, at: minute)
    }

    private func start(
        _ endpoint: OpenRequest.Endpoint, _ body: JSONObject, from address: ClientAddress
    ) async throws -> StartedSession {
        let request = OpenRequest(RequestFields(body), endpoint: endpoint)
        return try await services.sessions.start(
            request.sessionStart(app: app, address: address, userAgent: "", services.publicIDs))
    }

    /// A user looks at one or two things, and one in six buys one.
    private mutating func planEvents(of user: Int, at minute: Int) {
        for step in 0...random.roll(2) { calendar.add(.event(user, "VIEW_ITEM"), at: minute + step) }
        guard random.happens(inThousand: 330) else { return }
        calendar.add(.event(user, "ADD_TO_CART"), at: minute + 3)
        if random.happens(inThousand: 500) { calendar.add(.event(user, "PURCHASE"), at: minute + 5) }
        if random.happens(inThousand: 150) { calendar.add(.event(user, "share_recipe"), at: minute + 6) }
    }

    /// A user comes back less and less often.
    private mutating func planReturns(of user: Int, from minute: Int) {
        var chance = 0.35
        for day in 1..<30 {
            defer { chance *= 0.9 }
            guard random.fraction() < chance else { continue }
            let hour = Weighted(DemoCatalog.hours.enumerated().map { ($0.offset, $0.element) }).draw(&random)
            let midnight = (minute / DemoCalendar.minutesPerDay + day) * DemoCalendar.minutesPerDay
            calendar.add(.open(user), at: midnight + hour * 60 + random.roll(60))
        }
    }

    private mutating func report(_ name: String, by user: DemoUser) async throws {
        let isCustom = name == "share_recipe"
        let good = DemoCatalog.goods.draw(&random)
        var body: JSONObject = ["name": .string(name), "user_data": .object(user.visitor.description.merging(user.tokens))]
        if isCustom {
            body["custom_data"] = ["recipe": "tarte-tatin"]
        } else if name != "COMPLETE_REGISTRATION" {
            body["content_items"] = [
                [
                    "$canonical_identifier": .string(good.identifier), "$og_title": .string(good.title),
                    "$price": .decimal(TrafficContent.amount(good.cents)), "$currency": .string(user.visitor.country.currency),
                ]
            ]
        }
        if name == "PURCHASE" {
            orders += 1
            body["event_data"] = [
                "transaction_id": .string("order-\(1000 + orders)"), "currency": .string(user.visitor.country.currency),
                "revenue": .decimal(TrafficContent.amount(good.cents * (1 + random.roll(2)))),
            ]
        }
        let endpoint = isCustom ? "v2/event/custom" : "v2/event/standard"
        let event = EventRequest(RequestFields(body)).event(endpoint: endpoint, fallback: name, services.publicIDs)
        try await services.events.record(event, for: app, from: user.visitor.address)
    }

    /// Those who invite others redeem credits, and keep some for the credits page.
    private func redeem() async throws {
        for name in links.compactMap({ DemoCatalog.links[$0].sharer }) {
            let holder = AccountReference.named(name)
            guard try await services.credits.balance(of: holder, in: .standard, app.scope) > 20 else { continue }
            let withdrawal = CreditWithdrawal(holder: holder, amount: try CreditAmount(20))
            _ = try await services.credits.redeem(withdrawal, RequestedCause(.server), try CreditCall(), in: app.scope)
        }
    }
}
