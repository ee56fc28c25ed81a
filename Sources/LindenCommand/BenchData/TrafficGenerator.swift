import Linden
import LindenKernel
import LinkRouting

/// A generator of a plan's rows in the order of time: clicks, installs by some of the visitors, further opens, and events.
struct TrafficGenerator {
    /// A source of ids for one table, ascending in time like those that a server generates.
    private struct Serial {
        private var last: Int64 = 0

        mutating func next<Entity>(at milliseconds: Int64) -> Identifier<Entity> {
            last = max(last + 1, IDGenerator.first(at: Timestamp(milliseconds: milliseconds)))
            return Identifier(rawValue: last)
        }
    }

    private struct Serials {
        var clicks = Serial()
        var sessions = Serial()
        var events = Serial()
        var users = Serial()
    }

    /// A click that a later install or open may be attributed to.
    private struct Chance {
        let click: Click.ID
        let link: Int
        let visitor: TrafficVisitor
    }

    private enum Act {
        case install, open, event
    }

    private static let batchSize = 20_000
    /// The number of most recent clicks that are kept as candidates; older ones are dropped.
    private static let mostChances = 4096

    private let plan: TrafficPlan
    private let scopes: [Scope]
    private let baseURL: BaseURL
    private let shares: [Double]
    private let visitors: TrafficVisitors
    private let content: TrafficContent
    private var random: SeededRandom
    private var serials = Serials()
    private var slot = 0
    private var clicks, installs, opens, events: TrafficQuota
    private var deeds: TrafficEvents
    private var users: [TrafficUser] = []
    private var chances: [Chance] = []
    private var batch = TrafficBatch()

    init(_ plan: TrafficPlan, scopes: [Scope], baseURL: BaseURL, rates: [ExchangeRate]) {
        self.plan = plan
        self.scopes = scopes
        self.baseURL = baseURL
        shares = plan.shares()
        // The first day is part of the seed, so that the same seed produces different traffic for different days.
        random = SeededRandom(seed: plan.seed &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(bitPattern: plan.days.lowerBound))
        visitors = TrafficVisitors(plan)
        content = TrafficContent(plan, scopes: scopes, random: &random)
        deeds = TrafficEvents(plan, content: content, rates: rates)
        (clicks, installs) = (TrafficQuota(plan.clicks), TrafficQuota(plan.installs))
        (opens, events) = (TrafficQuota(plan.opens), TrafficQuota(plan.events))
        batch.objects = content.objects
        batch.links = content.links
    }

    /// Returns the next batch of rows; nil at the end.
    mutating func next() -> TrafficBatch? {
        while slot < plan.slots, batch.count < Self.batchSize { makeSlot() }
        guard batch.count > 0 else { return nil }
        defer { batch = TrafficBatch() }
        return batch
    }

    /// Generates the rows of one slot. They refer only to users and clicks of earlier slots, so no effect precedes its cause.
    private mutating func makeSlot() {
        let share = shares[slot]
        let known = users.count
        var acts = times(installs.next(until: share)).map { (act: Act.install, time: $0) }
        if known > 0 {
            acts += times(opens.next(until: share)).map { (.open, $0) }
            acts += times(events.next(until: share)).map { (.event, $0) }
        }
        for (act, time) in acts.sorted(by: { $0.time < $1.time }) {
            switch act {
            case .install: install(at: time)
            case .open: open(at: time, of: known)
            case .event:
                let user = users[someUser(of: known)]
                deeds.add(serials.events.next(at: time), by: user, to: &batch, &random)
            }
        }
        for time in times(clicks.next(until: share)) { click(at: time) }
        if chances.count > Self.mostChances { chances.removeFirst(chances.count - Self.mostChances) }
        slot += 1
    }

    /// Returns `count` times within the slot, ascending, in milliseconds.
    private mutating func times(_ count: Int) -> [Int64] {
        let start = plan.start(of: slot)
        return (0..<count).map { number in
            start + Int64((Double(number) + random.fraction()) / Double(count) * Double(TrafficPlan.slotMilliseconds))
        }
    }

    // MARK: Clicks

    private mutating func click(at time: Int64) {
        let link = content.link(&random)
        let isRobot = random.happens(inThousand: 60)
        let visitor = visitors.draw(&random)
        let robot = isRobot ? TrafficCatalog.robots.draw(&random) : nil
        var seen = robot?.visitor ?? visitor.browser
        seen.country = visitor.country.code
        let isPhone = seen.platform == .iOS || seen.platform == .android
        let channel = content.links[link].labels.channel ?? ""
        let click = Click(
            id: serials.clicks.next(at: time), link: content.links[link].id, scope: content.links[link].scope, visitor: seen,
            address: visitor.address, userAgent: robot?.userAgent ?? visitor.userAgent,
            referrer: isRobot ? nil : content.referrer(of: link)?.page,
            referrerHost: isRobot ? nil : content.referrer(of: link)?.host,
            query: random.happens(inThousand: 50) ? "utm_source=" + channel : nil,
            action: isRobot ? .preview : isPhone ? .app : .redirect, reason: isRobot ? .robotPreview : isPhone ? .app : .desktop,
            browser: isRobot ? nil : visitor.id)
        batch.clicks.append(click)
        if !isRobot, isPhone { chances.append(Chance(click: click.id, link: link, visitor: visitor)) }
    }

    // MARK: Sessions

    private mutating func install(at time: Int64) {
        let chance = random.happens(inThousand: 650) ? takeChance() : nil
        let visitor = chance?.visitor ?? visitors.draw(&random)
        let scope = chance.map { content.links[$0.link].scope } ?? scopes[random.roll(scopes.count)]
        let number = users.count + 1
        let identity = Identity(
            id: serials.users.next(at: time), scope: scope,
            developerIdentity: random.happens(inThousand: 600) ? "user-\(number)" : nil)
        let (phone, country) = (visitor.phone, TrafficCatalog.countries.elements[visitor.countryIndex])
        let (hardwareID, appVersion) = (hardwareID(), "1.4.\(random.roll(5))")
        let deviceID: Device.ID = serials.users.next(at: time)
        let device = Device(
            id: deviceID, scope: scope, identity: identity.id, installedAt: deviceID.time,
            description: DeviceDescription(
                hardwareID: hardwareID, os: phone.os, osVersion: phone.osVersion, brand: phone.brand, model: phone.model,
                appVersion: appVersion, sdk: phone.sdk, country: country.code, language: country.language, environment: .fullApp))
        batch.users.append((identity, device))
        users.append(
            TrafficUser(
                identity: identity, device: device.id, phone: visitor.phoneIndex, country: visitor.countryIndex,
                hardwareID: hardwareID, appVersion: appVersion))
        begin(.install, by: users.count - 1, at: time, after: chance)
    }

    private mutating func open(at time: Int64, of known: Int) {
        var user = someUser(of: known)
        guard random.happens(inThousand: 300), let chance = takeChance() else {
            return begin(.open, by: user, at: time, after: nil)
        }
        // Picks a user of the link's app on the visitor's platform, in at most eight attempts.
        let scope = content.links[chance.link].scope
        for _ in 0..<8
        where users[user].scope != scope || TrafficCatalog.phones.elements[users[user].phone].os != chance.visitor.phone.os {
            user = someUser(of: known)
        }
        begin(.open, by: user, at: time, after: users[user].scope == scope ? chance : nil)
    }

    private mutating func begin(_ kind: Session.Kind, by user: Int, at time: Int64, after chance: Chance?) {
        let (identity, device, scope) = (users[user].identity, users[user].device, users[user].scope)
        let referral = chance.map {
            Referral(
                link: content.links[$0.link], url: baseURL.url(of: content.links[$0.link].address), click: $0.click,
                isGuaranteed: true)
        }
        let isFirst = kind.isInstall
        let session = Session(
            id: serials.sessions.next(at: time), scope: scope, device: device, identity: identity.id, kind: kind,
            link: referral?.link.id, click: chance?.click,
            data: referral.map { ReferringData.referred(by: $0, isFirstSession: isFirst) }
                ?? ReferringData.organic(isFirstSession: isFirst, foreignURL: nil),
            explanation: referral == nil ? Self.organic : Self.matched)
        batch.sessions.append(session)
        users[user].session = session.id
        if let chance {
            users[user].touch = (chance.click, chance.link)
            batch.touch(device, identity.id, by: chance.click)
        }
    }

    private static let matched = explanation(.matched, LinkClickMatch.name, "The open has the id of this click.")
    private static let organic = explanation(.organic, nil, "Nothing spoke for any click.")

    private static func explanation(_ outcome: AttributionDecision.Outcome, _ matcher: String?, _ reason: String) -> StoredDecision
    {
        StoredDecision(ruleVersion: AttributionRules.standard.version, outcome: outcome, matcher: matcher, reason: reason)
    }

    private mutating func takeChance() -> Chance? {
        guard !chances.isEmpty else { return nil }
        chances.swapAt(random.roll(chances.count), chances.count - 1)
        return chances.removeLast()
    }

    /// Returns the index of a user, with a bias towards recent installs.
    private mutating func someUser(of known: Int) -> Int {
        let share = random.fraction()
        return known - 1 - Int(share * share * Double(known))
    }

    private mutating func hardwareID() -> String {
        let (high, low) = (random.next() | 1 << 63, random.next() | 1 << 63)
        return UUIDText.format(high: high, low: low)
    }
}
