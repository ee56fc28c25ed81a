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
        if let entry = entries.withLock({ $0.value(for: app) }), entry.liveText.hasSameBytes(as: live),
            entry.testText.hasSameBytes(as: test)
        {
            return (entry.live, entry.test)
        }
        let entry = Entry(
            liveText: live, testText: test, live: AppConfiguration(try JSON.parse(live).object ?? [:]),
            test: AppConfiguration(try JSON.parse(test).object ?? [:]))
        entries.withLock { $0.insert(entry, for: app) }
        return (entry.live, entry.test)
    }
}
