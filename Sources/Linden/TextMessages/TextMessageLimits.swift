import Synchronization

/// How many text messages may be asked for. Anybody may ask, and each one costs money and somebody's attention.
///
/// Kept in memory, by each process for itself: a restart forgives.
final class TextMessageLimits: Sendable {
    /// What was counted, and when.
    struct Place: Sendable {
        fileprivate let keys: [Key]
        fileprivate let time: Timestamp
    }

    fileprivate enum Key: Hashable {
        /// Without what people write before a number in one way or another.
        case phone(Substring)
        case address(String)
        case app(App.ID)
    }

    private let window: Duration = .seconds(3600)
    private let most: (phone: Int, address: Int, app: Int)
    private let asked = Mutex<[Key: [Timestamp]]>([:])

    init(perPhone: Int = 3, perAddress: Int = 5, perApp: Int = 500) {
        most = (perPhone, perAddress, perApp)
    }

    /// Counts one more. An empty address is unknown, and no limit of its own applies to it. Fails with `rateLimited` if that would be too many in an hour.
    func take(phone: PhoneNumber, address: String, app: App.ID, at now: Timestamp) throws -> Place {
        let digits = phone.text.drop { $0 == "+" || $0 == "0" }
        let all: [(Key, Int)] = [(.phone(digits), most.phone), (.address(address), most.address), (.app(app), most.app)]
        let keys = all.filter { $0.0 != .address("") }
        let isAllowed = asked.withLock { asked in
            if asked.count >= Self.capacity { asked = asked.filter { $0.value.contains { $0 + window > now } } }
            for (key, most) in keys {
                asked[key] = asked[key, default: []].filter { $0 + window > now }
                if asked[key, default: []].count >= most { return false }
            }
            for (key, _) in keys { asked[key, default: []].append(now) }
            return true
        }
        guard isAllowed else { throw Failure(.rateLimited, "Too many text messages were asked for. Please try again in an hour.") }
        return Place(keys: keys.map(\.0), time: now)
    }

    /// Takes back what came to nothing.
    func giveBack(_ place: Place) {
        asked.withLock { asked in
            for key in place.keys {
                if let index = asked[key]?.lastIndex(of: place.time) { asked[key]?.remove(at: index) }
            }
        }
    }

    /// Of numbers and addresses; those of the last hour are kept beyond it.
    private static let capacity = 10_000
}
