import Linden
import LindenKernel
import LindenLedger
import LindenReporting

/// The ids of all rows about the data subjects of one request, with the keys by which they are found.
struct PersonalData: Sendable {
    let scope: Scope
    /// The identities that were requested, which belong to the scope.
    let requested: [Identity.ID]
    /// The requested identities, and anonymous ones on their devices.
    var identities: SortedIDs<Identity>
    var devices = SortedIDs<Device>()
    var sessions = SortedIDs<Session>()
    var events = SortedIDs<Event>()
    /// Events about text messages that it requested or that went to its phone numbers. Such events refer to no identity.
    var messageEvents = SortedIDs<Event>()
    var clicks = SortedIDs<Click>()
    /// Those that its browsers made. A session may name any click whose id its client knows.
    var browserClicks = SortedIDs<Click>()
    var textMessages: Set<TextMessage.ID> = []
    /// The messages whose links it followed. Only these show that a phone number is its own.
    var followedMessages: Set<TextMessage.ID> = []
    var phones: Set<PhoneNumber> = []
    var links = SortedIDs<Link>()
    /// The browsers known to be on the same device as the app.
    var browsers = SortedIDs<Device>()
    /// The browsers that only a guess led to, which may be other people's. Nothing of theirs is its own but that they are beside its devices.
    var guessedBrowsers = SortedIDs<Device>()
    /// The hardware and advertising ids of its devices, under which clicks are recorded.
    var deviceKeys = DeviceKeys()
    /// The sessions into which it was referred or referred others.
    var referrals = SortedIDs<Session>()
    var referralCodes = SortedIDs<ReferralCode>()
    var heldRewards = SortedIDs<HeldReward>()
    /// Rewards of other identities in which it is the counterparty.
    var othersHeldRewards = SortedIDs<HeldReward>()
    /// The identities that it referred.
    var referredIdentities = SortedIDs<Identity>()
    var credits = PersonalCredits()

    init(of requested: [Identity.ID], in scope: Scope) {
        self.scope = scope
        self.requested = requested
        identities = SortedIDs(requested)
    }

    /// An empty result for a second search. Contains the known identities, devices, clicks and keys of the data subject, without its other
    /// rows.
    init(since earlier: PersonalData) {
        scope = earlier.scope
        requested = earlier.requested
        identities = earlier.identities
        devices = earlier.devices
        clicks = earlier.clicks
        browserClicks = earlier.browserClicks
        phones = earlier.phones
        browsers = earlier.browsers
        deviceKeys = earlier.deviceKeys
    }

    /// Whether a row of its scope belongs to one of its identities or devices.
    func isAbout(_ row: PersonalRow) -> Bool {
        row.identity.map(identities.contains) == true || row.device.map(devices.contains) == true
    }

    /// Whether a privacy request names it: by a name of its own, by a reference or public id, or by an id of a device or browser.
    func isNamed(by subject: DataSubject, _ names: Set<BytewiseText>, _ publicIDs: PublicIDs) -> Bool {
        switch subject.kind {
        case .developer: return names.contains(BytewiseText(subject.value))
        case .user: return publicIDs.id(named: subject.value, of: Identity.self).map(identities.contains) == true
        case .device, .browser:
            let device = publicIDs.id(named: subject.value, of: Device.self)
            return device.map { devices.contains($0) || browsers.contains($0) } == true || deviceKeys.contains(subject.value)
        }
    }

    /// Whether a remembered call created one of its rows.
    func created(_ row: Int64) -> Bool {
        sessions.contains(Identifier(rawValue: row)) || events.contains(Identifier(rawValue: row))
            || links.contains(Identifier(rawValue: row)) || messageEvents.contains(Identifier(rawValue: row))
            || referralCodes.contains(Identifier(rawValue: row)) || credits.contains(row)
    }

    /// Whether a click that names a device is its own, or names one of its devices.
    func isAbout(_ click: DeviceClick) -> Bool { clicks.contains(click.click) || deviceKeys.contains(click.key) }

    /// Whether a row belongs to one of its identities or names one as the counterparty.
    func names(_ row: PersonalRow) -> Bool {
        [row.identity, row.otherIdentity].contains { $0.map(identities.contains) == true }
    }
}
