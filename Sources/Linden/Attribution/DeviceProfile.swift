import LindenKernel

/// The frequency of OS versions, models, screens and languages among an app's devices on one operating system. Agreement in a rare trait
/// says more than in a common one.
package struct DeviceProfile: Sendable, Equatable {
    package enum Trait: String, Sendable, CaseIterable {
        case osVersion = "os_version"
        case model, screen, language
    }

    /// The minimum number of devices for which the statistics are used.
    package static let leastDevices: Int64 = 100
    /// The minimum share of devices, per thousand, for a language to count as one of the app's.
    package static let leastLanguageShare: Int64 = 5
    private static let mostLanguages = 32

    package private(set) var devices: Int64 = 0
    private var counts: [Trait: [String: Int64]] = [:]

    package init() {}

    /// Adds devices that have the same traits.
    package mutating func add(_ traits: Evidence.Traits, devices added: Int64 = 1) {
        devices += added
        for (trait, value) in Self.values(traits) { counts[trait, default: [:]][value, default: 0] += added }
    }

    /// Returns the share of each value, per thousand devices.
    package func shares(_ trait: Trait) -> [String: Int64] {
        devices == 0 ? [:] : counts[trait, default: [:]].mapValues { $0 * 1000 / devices }
    }

    /// Returns how common a device's traits are; nil while there are fewer than ``leastDevices``.
    package func commonness(of traits: Evidence.Traits) -> Evidence.Commonness? {
        guard devices >= Self.leastDevices else { return nil }
        let values = Self.values(traits)
        func share(_ trait: Trait) -> Int64? { values[trait].map { self.share(of: $0, trait) } }
        return Evidence.Commonness(osVersion: share(.osVersion), model: share(.model), screen: share(.screen))
    }

    /// The app's languages, most common first; empty while there are fewer than ``leastDevices``.
    package var languages: [String] {
        guard devices >= Self.leastDevices else { return [] }
        let common = counts[.language, default: [:]].filter { share(of: $0.key, .language) >= Self.leastLanguageShare }
        return common.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.mostLanguages).map(\.key)
    }

    /// Returns the share of a value, per thousand devices.
    package func share(of value: String, _ trait: Trait) -> Int64 {
        devices == 0 ? 0 : counts[trait]?[value].map { $0 * 1000 / devices } ?? 0
    }

    package static func values(_ traits: Evidence.Traits) -> [Trait: String] {
        var values: [Trait: String] = [:]
        values[.osVersion] = traits.osVersion
        values[.model] = traits.model?.lowercased()
        values[.screen] = traits.screen?.text
        values[.language] = traits.language?.lowercased()
        return values
    }
}

extension Evidence.Traits {
    /// Returns whether both describe the same kind of device: same OS and OS version, and same model if both report it.
    package func isSameKind(as other: Evidence.Traits) -> Bool {
        os == other.os && osVersion == other.osVersion
            && (model == nil || other.model == nil || model?.lowercased() == other.model?.lowercased())
    }

    /// Returns whether a browser with other traits may be on this device: no trait that both report disagrees.
    package func mayBe(_ browser: Evidence.Traits) -> Bool {
        TraitComparison(browser, Evidence.FingerprintSignals(traits: self, clicks: []), .standard).exclusion == nil
    }
}

package protocol DeviceProfileReader {
    /// Returns how common a device's traits are among an app's devices, and the app's languages, as last learned.
    func commonness(of traits: Evidence.Traits, in scope: Scope) throws -> (Evidence.Commonness?, languages: [String])
    /// Returns an app whose profiles were never learned, or last before a time; nil if there is none.
    func scopeToProfile(learnedBefore time: Timestamp) throws -> Scope?
    /// Returns the profiles, by OS, of the devices of an app's newest sessions.
    func profiles(of scope: Scope, newestSessions limit: Int) throws -> [String: DeviceProfile]
}

package protocol DeviceProfileRepository: DeviceProfileReader {
    /// Replaces an app's stored profiles. Profiles of fewer than ``DeviceProfile/leastDevices`` devices are left out.
    func replaceProfiles(_ profiles: [String: DeviceProfile], of scope: Scope) throws
}
