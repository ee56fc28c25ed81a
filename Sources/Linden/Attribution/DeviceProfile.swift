/// How common versions, models, screens and languages are among an app's devices on one system. A rare trait that agrees says more than
/// a common one.
package struct DeviceProfile: Sendable, Equatable {
    package enum Trait: String, Sendable, CaseIterable {
        case osVersion = "os_version"
        case model, screen, language
    }

    /// Fewer devices say nothing yet.
    package static let leastDevices: Int64 = 100
    /// The share of devices, of a thousand, from which on a language is one of the app's.
    package static let leastLanguageShare: Int64 = 5
    private static let mostLanguages = 32

    package private(set) var devices: Int64 = 0
    private var counts: [Trait: [String: Int64]] = [:]

    package init() {}

    /// Adds devices that are alike.
    package mutating func add(_ traits: Evidence.Traits, devices added: Int64 = 1) {
        devices += added
        for (trait, value) in Self.values(traits) { counts[trait, default: [:]][value, default: 0] += added }
    }

    /// By value, of a thousand devices.
    package func shares(_ trait: Trait) -> [String: Int64] {
        devices == 0 ? [:] : counts[trait, default: [:]].mapValues { $0 * 1000 / devices }
    }

    /// Nil while there are too few devices.
    package func commonness(of traits: Evidence.Traits) -> Evidence.Commonness? {
        guard devices >= Self.leastDevices else { return nil }
        let values = Self.values(traits)
        func share(_ trait: Trait) -> Int64? { values[trait].map { self.share(of: $0, trait) } }
        return Evidence.Commonness(osVersion: share(.osVersion), model: share(.model), screen: share(.screen))
    }

    /// The app's languages, the most common first; empty while there are too few devices.
    package var languages: [String] {
        guard devices >= Self.leastDevices else { return [] }
        let common = counts[.language, default: [:]].filter { share(of: $0.key, .language) >= Self.leastLanguageShare }
        return common.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.mostLanguages).map(\.key)
    }

    /// Of a thousand devices.
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
    /// Whether both are of one kind of device: same system and version, and same model where both report it.
    package func isSameKind(as other: Evidence.Traits) -> Bool {
        os == other.os && osVersion == other.osVersion
            && (model == nil || other.model == nil || model?.lowercased() == other.model?.lowercased())
    }

    /// Whether a browser with other traits may be on this device: nothing that both report disagrees.
    package func mayBe(_ browser: Evidence.Traits) -> Bool {
        TraitComparison(browser, Evidence.Likeness(traits: self, clicks: []), .standard).exclusion == nil
    }
}

package protocol DeviceProfileReader {
    /// How common a device's traits are among those of an app, and the app's languages, as last learned.
    func commonness(of traits: Evidence.Traits, in scope: Scope) throws -> (Evidence.Commonness?, languages: [String])
    /// An app whose profiles were never learned, or last before a time; nil if there is none.
    func scopeToProfile(learnedBefore time: Timestamp) throws -> Scope?
    /// The profiles, by system, of the devices that had the newest sessions of an app.
    func profiles(of scope: Scope, newestSessions limit: Int) throws -> [String: DeviceProfile]
}

package protocol DeviceProfileRepository: DeviceProfileReader {
    /// Keeps the profiles of an app in place of those learned before. Those of too few devices are left out.
    func replaceProfiles(_ profiles: [String: DeviceProfile], of scope: Scope) throws
}
