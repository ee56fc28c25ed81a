/// How often each call may be made, by whom.
package struct RateLimits: Sendable {
    /// The rates of one call.
    package struct Allowed: Sendable, Equatable {
        /// With one key from one address (of IPv6 a /64). An address may make twice as many over all keys.
        package var address: Rate
        /// With one key and no secret.
        package var key: Rate
        /// With one secret.
        package var secret: Rate

        package init(address: Rate, key: Rate, secret: Rate) {
            self.address = address
            self.key = key
            self.secret = secret
        }
    }

    package var isOn: Bool
    /// Networks that are not limited. Loopback is not either: what comes from there is the operator's own.
    package var exempt: [Network]
    private var allowed: [Allowed]

    package init(isOn: Bool = true, exempt: [Network] = []) {
        self.isOn = isOn
        self.exempt = exempt
        allowed = LimitedCall.allCases.map(\.standard)
    }

    package static let off = RateLimits(isOn: false)

    package subscript(call: LimitedCall) -> Allowed {
        get { allowed[call.index] }
        set { allowed[call.index] = newValue }
    }

    func isExempt(_ address: ClientAddress) -> Bool {
        address.isLoopback || (!exempt.isEmpty && exempt.contains { $0.contains(address) })
    }
}

extension LimitedCall {
    fileprivate var index: Int { Self.allCases.firstIndex(of: self)! }

    /// Branch's documented rates by key where there are any; an address has a quarter of them, or what a large office needs.
    fileprivate var standard: RateLimits.Allowed {
        let (address, key) = rates
        return RateLimits.Allowed(address: address, key: key, secret: key.times(self == .store ? 10 : 1))
    }

    private var rates: (address: Rate, key: Rate) {
        switch self {
        case .visit: (Rate(perSecond: 100, perMinute: 3000), .unlimited)
        case .createLink:
            (Rate(perSecond: 50, perMinute: 3000, perHour: 75_000), Rate(perSecond: 200, perMinute: 12_000, perHour: 300_000))
        case .readLink:
            (Rate(perSecond: 25, perMinute: 1400, perHour: 25_000), Rate(perSecond: 100, perMinute: 5500, perHour: 100_000))
        case .changeLink:
            (Rate(perSecond: 25, perMinute: 250, perHour: 2500), Rate(perSecond: 100, perMinute: 1000, perHour: 10_000))
        case .session: (Rate(perSecond: 50, perMinute: 1000), .unlimited)
        case .event: (Rate(perSecond: 200, perMinute: 6000), .unlimited)
        case .call: (Rate(perSecond: 50, perMinute: 1000), .unlimited)
        case .qrCode: (Rate(perSecond: 10, perMinute: 50, perHour: 500), Rate(perSecond: 25, perMinute: 100, perHour: 1000))
        case .query: (Rate(perSecond: 5, perMinute: 20, perHour: 150), Rate(perSecond: 5, perMinute: 20, perHour: 150))
        case .order: (Rate(perMinute: 10, perHour: 150), Rate(perMinute: 10, perHour: 150))
        case .store: (Rate(perHour: 64 << 20), Rate(perHour: 1 << 30))
        }
    }
}
