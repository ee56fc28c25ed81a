import Linden
import LindenKernel
import Synchronization

/// The rate limits of text messages: any client may request one, and each costs money and disturbs its recipient.
///
/// Counted in the memory of each process; a restart resets the counts.
final class TextMessageLimits: Sendable {
    /// A counted request.
    struct Place: Sendable {
        fileprivate let keys: [Key]
        fileprivate let time: Timestamp
    }

    fileprivate enum Key: Hashable {
        /// The digits without a leading plus sign and zeros, which are written inconsistently.
        case phone(Substring)
        /// See ``ClientNetwork``.
        case address(UInt64)
        case site(UInt64)
        case app(App.ID)
    }

    private let window: Duration = .seconds(3600)
    private let most: (phone: Int, network: NetworkShares, app: Int)
    private let asked = Mutex<[Key: [Timestamp]]>([:])

    init(perPhone: Int = 3, perNetwork: NetworkShares = NetworkShares(address: 5), perApp: Int = 500) {
        most = (perPhone, perNetwork, perApp)
    }

    /// Counts one request. An unknown address has no limit of its own. Fails with `rateLimited` beyond the maximum per hour.
    func take(phone: PhoneNumber, address: ClientAddress, app: App.ID, at now: Timestamp) throws -> Place {
        let digits = phone.text.drop { $0 == "+" || $0 == "0" }
        var keys: [(Key, Int)] = [(.phone(digits), most.phone), (.app(app), most.app)]
        if !address.isUnknown {
            let client = ClientNetwork(address)
            keys += [(.address(client.address), most.network.address), (.site(client.site), most.network.site)]
        }
        let isAllowed = asked.withLock { [keys] asked in
            if asked.count >= Self.capacity { asked = asked.filter { $0.value.contains { $0 + window > now } } }
            for (key, most) in keys {
                asked[key] = asked[key, default: []].filter { $0 + window > now }
                if asked[key, default: []].count >= most { return false }
            }
            for (key, _) in keys { asked[key, default: []].append(now) }
            return true
        }
        guard isAllowed else { throw Failure(.rateLimited, "Too many text messages were requested. Please try again in an hour.") }
        return Place(keys: keys.map(\.0), time: now)
    }

    /// Takes back the app's count of a failed request. Those of the phone and the client stay: a gateway that is slow may have sent the message,
    /// and one that refuses a number could be asked without end.
    func giveBack(_ place: Place) {
        asked.withLock { asked in
            for case .app(let app) in place.keys {
                let key = Key.app(app)
                if let index = asked[key]?.lastIndex(of: place.time) { asked[key]?.remove(at: index) }
            }
        }
    }

    /// The number of keys above which expired ones are removed; keys of the last hour are kept even beyond it.
    private static let capacity = 10_000
}
