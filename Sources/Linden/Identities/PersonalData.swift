/// All rows that are about one person.
struct PersonalData: Sendable {
    let scope: Scope
    /// The user who was asked for.
    let person: Identity.ID
    /// His own, and those without a name that were on his devices.
    var identities: Set<Identity.ID>
    var devices: Set<Device.ID> = []
    var sessions: Set<Session.ID> = []
    var events: Set<Event.ID> = []
    /// Events that tell of a text message that he asked for or that went to his phone. They name no user.
    var messageEvents: Set<Event.ID> = []
    var clicks: Set<Click.ID> = []
    /// His clicks, by the devices they named, and those that named his.
    var deviceClicks: [DeviceClick] = []
    var textMessages: Set<TextMessage.ID> = []
    /// Those by which he came; only these tell that a number is his.
    var followedMessages: Set<TextMessage.ID> = []
    var phones: Set<PhoneNumber> = []
    var links: Set<Link.ID> = []
    /// That are beside the app on one of his devices.
    var browsers: [Device.ID: Set<Browser.ID>] = [:]
    var addresses: [Device.ID: Set<String>] = [:]
    var requests: [String] = []
    /// By which others know his devices.
    var deviceKeys: Set<String> = []
    /// Sessions into which he was brought, or brought others.
    var referrals: Set<Int64> = []
    var referralCodes: Set<ReferralCode.ID> = []
    var heldRewards: Set<HeldReward.ID> = []
    /// Of others, in which he had a part.
    var othersHeldRewards: Set<HeldReward.ID> = []
    /// Whom he brought.
    var referredIdentities: Set<Identity.ID> = []
    var credits = PersonalCredits()

    init(of identity: Identity) {
        scope = identity.scope
        person = identity.id
        identities = [identity.id]
    }

    /// To be filled with what has come in since: what is known of the person, without his rows.
    init(since earlier: PersonalData) {
        scope = earlier.scope
        person = earlier.person
        identities = earlier.identities
        devices = earlier.devices
        clicks = earlier.clicks
        phones = earlier.phones
        browsers = earlier.browsers
        addresses = earlier.addresses
        deviceKeys = earlier.deviceKeys
    }

    /// Whether a row is of him or his devices.
    func isAbout(_ row: PersonalRow) -> Bool {
        row.scope == scope && (row.identity.map(identities.contains) == true || row.device.map(devices.contains) == true)
    }

    /// Whether a row is of him or names him beside another.
    func names(_ row: PersonalRow) -> Bool {
        [row.identity, row.otherIdentity].contains { $0.map(identities.contains) == true }
    }
}
