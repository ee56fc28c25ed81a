import LindenKernel
import LinkRouting

/// The evidence by address: what a launch is compared with if no id names its click.
extension EvidenceReader {
    /// Returns the fingerprint signals: the clicks from the same address on the same OS with a comparable OS version. Nil if the device
    /// cannot be compared.
    func fingerprintSignals(
        of start: SessionStart, on device: Device.ID?, _ address: StoredAddress, _ addressClass: AddressClass, at time: Timestamp
    ) throws -> Evidence.FingerprintSignals? {
        guard let traits = start.traits else { return nil }
        let found = try clicks(like: traits, from: address, in: start.scope, at: time)
        guard !found.clicks.isEmpty else { return Evidence.FingerprintSignals(traits: traits, clicks: []) }
        let (commonness, languages) = try commonness(of: traits, in: start.scope)
        return Evidence.FingerprintSignals(
            traits: traits, isIPv6: start.address.isIPv6,
            density: try density(like: traits, found, of: start, on: device, address, addressClass, at: time),
            clicks: try found.clicks.map { try similarClick($0.open, content: $0.content, at: time) }, isCut: found.isCut,
            installedAgo: start.installedAgo?.components.seconds,
            isKnownDevice: start.caller == .installation || start.caller == .server && device != nil,
            commonness: commonness, appLanguages: languages)
    }

    /// Returns the density of the address.
    ///
    /// - Parameter found: the clicks from the address that may be of this device.
    private func density(
        like traits: Evidence.Traits, _ found: FoundClicks, of start: SessionStart, on device: Device.ID?, _ address: StoredAddress,
        _ addressClass: AddressClass, at time: Timestamp
    ) throws -> Evidence.AddressDensity {
        let shared = [addressClass, found.clicks.first?.open.addressClass].compactMap { $0 }.first(where: \.isShared)
        // Tests run with several devices at one address.
        guard start.scope.mode != .test else {
            return Evidence.AddressDensity(AddressDensity(), alike: 0, isShared: shared?.rawValue)
        }
        let (since, limit) = (time - Evidence.AddressDensity.window, AttributionRules.standard.densityLimit)
        let measured = try density(of: address.all, in: start.scope, since: since, besides: device, limit: limit)
        // None is alike where there is none.
        let devices =
            measured.devices == 0 && !measured.reachesLimit
            ? 0 : try devices(like: traits, at: address.all, in: start.scope, since: since, besides: device, limit: limit)
        return Evidence.AddressDensity(
            measured, alike: Int64(devices + max(0, found.browsers(since: since) - 1)), isShared: shared?.rawValue)
    }

    /// Returns the newest clicks from an address on an OS. Of clicks with the same content and traits only the newest is returned, so that
    /// a device that clicks often leaves room for others.
    private func clicks(
        like traits: Evidence.Traits, from address: StoredAddress, in scope: Scope, at time: Timestamp
    ) throws -> FoundClicks {
        let rows = try address.all.flatMap { address in
            try traits.comparableVersions.map { version in
                try pendingClicks(
                    Fingerprint(scope: scope, address: address, os: traits.os, osVersion: version),
                    limit: AttributionRules.standard.rows)
            }
        }
        // Claimed and expired clicks serve the explanation only.
        var waiting: [(open: PendingClick, content: String)] = []
        var gone: [(open: PendingClick, content: String)] = []
        var numbers: [ClickContent: Int] = [:]
        var seen: Set<ClickKind> = []
        var found = FoundClicks()
        for open in rows.joined().sorted(by: { $0.click > $1.click }) {
            let content = open.content
            let number = numbers[content, default: numbers.count]
            numbers[content] = number
            if open.isClaimed || open.expiresAt <= time {
                gone.append((open, String(number)))
                continue
            }
            if traits.mayBe(open.traits) {
                found.browsers.append((open.browser?.rawValue ?? open.click.rawValue, open.click.time))
            }
            if seen.insert(ClickKind(content: number, traits: open.traits)).inserted { waiting.append((open, String(number))) }
        }
        let limit = AttributionRules.standard.candidates
        let clicks = waiting.prefix(limit) + gone.prefix(max(0, limit - waiting.count))
        found.isCut = waiting.count > limit || rows.contains { $0.count == AttributionRules.standard.rows }
        found.clicks = clicks.sorted { $0.open.click > $1.open.click }
        return found
    }

    private func similarClick(_ open: PendingClick, content: String, at time: Timestamp) throws -> Evidence.SimilarClick {
        let clickedAt = open.click.time
        return Evidence.SimilarClick(
            click: open.click, link: open.link, content: content, age: open.click.age(at: time),
            window: (open.expiresAt.milliseconds - clickedAt.milliseconds) / 1000,
            traits: open.traits,
            isClaimed: open.isClaimed, isAlive: try isAlive(open.link))
    }

    /// Returns false for a link that is deleted, consumed or unknown.
    private func isAlive(_ id: Link.ID) throws -> Bool {
        try id == .long || linkStatus(id).map { !$0.isDeleted && !$0.isUsedUp } ?? false
    }
}

/// The clicks from an address that may be of one device.
private struct FoundClicks {
    /// Newest first. `content` is a number shared by clicks with the same data.
    var clicks: [(open: PendingClick, content: String)] = []
    /// Whether there were more clicks than these.
    var isCut = false
    /// Browser and time of each click that is unclaimed, current and comparable. A browser without a cookie counts as one of its own per
    /// click.
    var browsers: [(id: Int64, clickedAt: Timestamp)] = []

    func browsers(since time: Timestamp) -> Int { Set(browsers.filter { $0.clickedAt >= time }.map(\.id)).count }
}

/// The key of clicks that are equivalent as candidates.
private struct ClickKind: Hashable {
    let content: Int
    let traits: Evidence.Traits
}

extension PendingClick {
    fileprivate var traits: Evidence.Traits {
        Evidence.Traits(
            os: fingerprint.os, osVersion: fingerprint.osVersion.isEmpty ? reportedOSVersion : fingerprint.osVersion, model: model,
            screen: screen, language: language)
    }
}

extension SessionStart {
    /// The traits that the device is compared by; nil if it reports no OS or OS version, or is not to be compared.
    var traits: Evidence.Traits? {
        guard !isTrackingDisabled, caller != .browser, let os = description.os, let version = description.osVersion,
            !address.matchKey.isEmpty
        else { return nil }
        return Evidence.Traits(
            os: os, osVersion: version, model: description.model, screen: description.screen,
            language: description.language.flatMap(Language.primary))
    }
}

extension Evidence.AddressDensity {
    /// How long a device or click at an address counts.
    fileprivate static let window: Duration = .seconds(7200)

    /// One of the browsers that clicked may be this device's, so it is not counted.
    fileprivate init(_ measured: AddressDensity, alike: Int64, isShared: String?) {
        let most = Int64(AttributionRules.standard.densityLimit)
        self.init(
            devices: measured.reachesLimit ? most : Int64(measured.devices), clicks: Int64(max(0, measured.browsers - 1)),
            alike: alike, isShared: isShared)
    }
}
