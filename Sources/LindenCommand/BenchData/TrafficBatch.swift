import Linden
import LindenKernel
import LindenServices

/// Rows that are written in one transaction.
struct TrafficBatch: Sendable {
    private struct ObjectDay: Hashable {
        let object: UniversalObject.ID
        let day: Int64
    }

    var objects: [UniversalObject] = []
    var links: [Link] = []
    var users: [(identity: Identity, device: Device)] = []
    var clicks: [Click] = []
    var sessions: [Session] = []
    var events: [Event] = []
    private var touches: [Device.ID: (identity: Identity.ID, click: Click.ID)] = [:]
    private var content: [ObjectDay: ObjectStatistics] = [:]

    /// The number of rows without aggregates.
    var count: Int { objects.count + links.count + users.count * 2 + clicks.count + sessions.count + events.count }

    mutating func touch(_ device: Device.ID, _ identity: Identity.ID, by click: Click.ID) {
        touches[device] = (identity, click)
    }

    mutating func count(_ action: ContentAction, of object: UniversalObject.ID, on day: Int64, revenue: Money? = nil) {
        var statistics = content[ObjectDay(object: object, day: day)] ?? ObjectStatistics()
        switch action {
        case .view: statistics.views += 1
        case .share: statistics.shares += 1
        case .purchase:
            statistics.purchases += 1
            statistics.revenue += MoneySum(revenue)
        }
        content[ObjectDay(object: object, day: day)] = statistics
    }

    func write(to transaction: any DatabaseTransaction) throws {
        for object in objects {
            try transaction.insert(object, data: JSON.object(object.data).text, at: object.id.time)
        }
        for link in links where try !transaction.insert(link) {
            throw Failure(.conflict, "The path \(link.address.path) is taken by a link in the database; use another --seed.")
        }
        for (identity, device) in users {
            try transaction.insert(identity, at: identity.id.time)
            try transaction.insert(device, at: device.id.time)
        }
        for click in clicks { try transaction.insert(click) }
        for session in sessions { try transaction.insert(session) }
        for (device, touch) in touches.sorted(by: { $0.key < $1.key }) {
            try transaction.setLastTouch(touch.click, device: device, identity: touch.identity)
        }
        for event in events {
            try transaction.insert(event)
            if event.facts.commerce.revenue != nil, event.revenue == nil {
                try transaction.count(.rateMissing, of: event.facts.standard, in: event.scope)
            }
        }
        for (key, statistics) in content.sorted(by: { ($0.key.object, $0.key.day) < ($1.key.object, $1.key.day) }) {
            try transaction.count(statistics, of: key.object, on: key.day)
        }
    }
}
