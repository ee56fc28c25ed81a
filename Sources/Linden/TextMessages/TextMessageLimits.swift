import Synchronization

/// How many text messages may be asked for. Anybody may ask, and each one costs money and somebody's attention.
///
/// Kept in memory, by each process for itself: a restart forgives.
final class TextMessageLimits: Sendable {
    private enum Key: Hashable {
        case phone(PhoneNumber)
        case address(String)
        case app(App.ID)
    }

    private let window: Duration = .seconds(3600)
    private let most: (phone: Int, address: Int, app: Int)
    private let asked = Mutex<[Key: [Timestamp]]>([:])

    init(perPhone: Int = 3, perAddress: Int = 5, perApp: Int = 500) {
        most = (perPhone, perAddress, perApp)
    }

    /// Counts one more. Fails with `rateLimited` if that would be too many in an hour.
    func take(phone: PhoneNumber, address: String, app: App.ID, at now: Timestamp) throws {
        let keys: [(Key, Int)] = [(.phone(phone), most.phone), (.address(address), most.address), (.app(app), most.app)]
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
    }

    /// Of numbers and addresses; those of the last hour are kept beyond it.
    private static let capacity = 10_000
}
