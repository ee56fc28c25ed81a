import Linden
import LindenKernel

/// The rate limits of each kind of request, and the networks that are exempt.
package struct RateLimits: Sendable {
    /// The unit of requests that a rate counts together.
    package enum Owner: String, Sendable, CaseIterable {
        /// One address (an IPv6 /64) with one key; an address has twice the rate over all keys.
        case address
        /// One key without its secret, from all addresses.
        case key
        /// One key with its secret, or one app with an access token.
        case secret
    }

    /// The rates of one kind of request.
    package struct Allowed: Sendable, Equatable {
        package var address: Rate
        package var key: Rate
        package var secret: Rate

        /// The rate of a key from one /24 of IPv4 or /48 of IPv6: half of the key's, but not less than an address's.
        var keyPerSite: Rate { key.half(atLeast: address) }

        /// The rate of requests beyond a key's rate, of networks that take no more than ``reservePerSite`` of it.
        var keyReserve: Rate { key.divided(by: 2) }
        /// The rate at which one /24 of IPv4 or /48 of IPv6 uses ``keyReserve``: a sixteenth of it.
        var reservePerSite: Rate { key.divided(by: 32) }

        package init(address: Rate, key: Rate = .unlimited, secret: Rate = .unlimited) {
            self.address = address
            self.key = key
            self.secret = secret
        }

        package subscript(owner: Owner) -> Rate {
            get {
                switch owner {
                case .address: address
                case .key: key
                case .secret: secret
                }
            }
            set {
                switch owner {
                case .address: address = newValue
                case .key: key = newValue
                case .secret: secret = newValue
                }
            }
        }
    }

    package var isOn: Bool
    /// Networks whose requests are not counted.
    package var exempt: [Network]
    private var allowed: [Allowed]

    package init(isOn: Bool = true, exempt: [Network] = RateLimits.loopback) {
        self.isOn = isOn
        self.exempt = exempt
        allowed = LimitedCall.allCases.map(\.standard)
    }

    package static let off = RateLimits(isOn: false)

    package static let loopback = ["127.0.0.0/8", "::1/128"].compactMap { Network($0) }

    package subscript(call: LimitedCall) -> Allowed {
        get { allowed[call.rawValue] }
        set { allowed[call.rawValue] = newValue }
    }

    /// The doctor's findings about the limits.
    package var findings: [Finding] {
        guard !isOn else { return [] }
        return [
            Finding(
                "server.limits", .warning,
                "limits.enabled is false: one stranger with the public key can fill the disk and use up what the app's users need.")
        ]
    }

    func isExempt(_ address: ClientAddress) -> Bool { exempt.contains { $0.contains(address) } }
}

extension LimitedCall {
    /// The default rates: Branch's documented rates by key where they exist (https://help.branch.io, "Rate limits"); an address has a
    /// quarter of them, or enough for the users behind one shared address of a carrier.
    fileprivate var standard: RateLimits.Allowed {
        switch self {
        case .request: RateLimits.Allowed(address: Rate(perSecond: 400, perMinute: 20_000))
        case .visit: RateLimits.Allowed(address: Rate(perSecond: 100, perMinute: 3000))
        case .handshake: RateLimits.Allowed(address: Rate(perSecond: 50, perMinute: 1500))
        case .createLink:
            shared(
                Rate(perSecond: 50, perMinute: 3000, perHour: 75_000), Rate(perSecond: 200, perMinute: 12_000, perHour: 300_000))
        case .readLink:
            shared(Rate(perSecond: 25, perMinute: 1400, perHour: 25_000), Rate(perSecond: 100, perMinute: 5500, perHour: 100_000))
        case .changeLink:
            shared(Rate(perSecond: 25, perMinute: 250, perHour: 2500), Rate(perSecond: 100, perMinute: 1000, perHour: 10_000))
        case .changeApp:
            RateLimits.Allowed(address: Rate(perSecond: 5, perMinute: 120), secret: Rate(perSecond: 5, perMinute: 120))
        case .session, .call: RateLimits.Allowed(address: Rate(perSecond: 50, perMinute: 1000))
        case .adToken: RateLimits.Allowed(address: Rate(perMinute: 100), key: Rate(perMinute: 1200))
        case .event: RateLimits.Allowed(address: Rate(perSecond: 200, perMinute: 6000))
        case .qrCode: shared(Rate(perSecond: 5, perMinute: 25, perHour: 250), Rate(perSecond: 25, perMinute: 100, perHour: 1000))
        case .query: shared(Rate(perSecond: 5, perMinute: 20, perHour: 150), Rate(perSecond: 5, perMinute: 20, perHour: 150))
        case .store:
            RateLimits.Allowed(
                address: Rate(perMinute: 32 << 20, perHour: 256 << 20), key: Rate(perMinute: 256 << 20, perHour: 4 << 30),
                secret: Rate(perHour: 16 << 30))
        }
    }

    private func shared(_ address: Rate, _ key: Rate) -> RateLimits.Allowed {
        RateLimits.Allowed(address: address, key: key, secret: key)
    }
}
