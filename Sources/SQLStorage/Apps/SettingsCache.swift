import Foundation
import Linden
import LindenKernel
import Synchronization

/// A cache of parsed app settings. Each look-up compares the stored text with the one that an entry was parsed from, so a transaction gets
/// what it would parse itself. Evicts only settings that were not looked up lately.
final class SettingsCache: Sendable {
    private struct Entry: Sendable {
        let liveText: String
        let testText: String
        let live: AppConfiguration
        let test: AppConfiguration
    }

    /// In apps. The settings of one have at most ``AppConfiguration/mostBytes`` a side.
    private static let capacity = 128

    private let entries = Mutex(TwoGenerationCache<App.ID, Entry>(capacity: SettingsCache.capacity))

    /// Returns the settings of both sides of an app, parsed from their stored texts.
    func settings(of app: App.ID, live: String, test: String) throws -> (live: AppConfiguration, test: AppConfiguration) {
        if let entry = entries.withLock({ $0.value(for: app) }), Self.areSame(entry.liveText, live),
            Self.areSame(entry.testText, test)
        {
            return (entry.live, entry.test)
        }
        let entry = Entry(
            liveText: live, testText: test, live: AppConfiguration(try JSON.parse(live).object ?? [:]),
            test: AppConfiguration(try JSON.parse(test).object ?? [:]))
        entries.withLock { $0.insert(entry, for: app) }
        return (entry.live, entry.test)
    }

    /// Compares bytes: Swift's String treats a precomposed é and e with a combining accent as equal.
    private static func areSame(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        guard left.utf8.count == right.utf8.count else { return false }
        return left.withUTF8 { left in
            right.withUTF8 { right in
                left.isEmpty || memcmp(left.baseAddress!, right.baseAddress!, left.count) == 0
            }
        }
    }
}
