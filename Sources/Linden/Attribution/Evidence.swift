import LindenKernel

/// Everything that may link an app launch to a click, gathered before anything is decided. Stored with the session, so that the decision
/// can be repeated.
package struct Evidence: Sendable, Equatable {
    /// The click id that the launch carries.
    package var linkClick: LinkClick
    /// The URL that opened the app.
    package var linkURL: LinkURL
    /// The last click of the browser on the same device.
    package var browserClick: DeterministicClick?
    /// The newest click whose URL named the device's advertising id.
    package var deviceClick: DeterministicClick?
    /// Apple's search ad attribution as the app reported it; nil if it reported none.
    package var searchAd: SearchAdAttribution?
    /// Fingerprint signals of the device and the clicks that may be its own; nil if the device cannot be compared.
    package var fingerprintSignals: FingerprintSignals?
    /// Whether addresses are stored; without them nothing is compared.
    package var isAddressKept: Bool
    /// Whether the app allows probabilistic matching by address and device.
    package var isFingerprintAllowed = true
    /// False if the app says that its user does not count as referred. Does not affect matching.
    package var mayBeReferred = true

    package init(
        linkClick: LinkClick = .none, linkURL: LinkURL = .none, browserClick: DeterministicClick? = nil,
        deviceClick: DeterministicClick? = nil,
        searchAd: SearchAdAttribution? = nil, fingerprintSignals: FingerprintSignals? = nil, isAddressKept: Bool = true
    ) {
        self.isAddressKept = isAddressKept
        self.linkClick = linkClick
        self.linkURL = linkURL
        self.browserClick = browserClick
        self.deviceClick = deviceClick
        self.searchAd = searchAd
        self.fingerprintSignals = fingerprintSignals
    }

    package enum LinkClick: Sendable, Equatable {
        case none
        /// An id that is not a click of this app.
        case unknown
        case found(DeterministicClick)
        /// A click of a one-time link that is consumed.
        case usedUp
    }

    package enum LinkURL: Sendable, Equatable {
        case none
        /// A URL that is not a link of this app.
        case foreign
        case found(link: Link.ID)
        /// A link of this app that is consumed or expired, or has no clicks left.
        case ended
    }

    /// A click identified by an id: a deterministic match.
    package struct DeterministicClick: Sendable, Equatable {
        package let click: Click.ID
        package let link: Link.ID
        /// Seconds since the click, and the attribution window in seconds.
        package let age: Int64
        package let window: Int64

        package init(click: Click.ID, link: Link.ID, age: Int64, window: Int64) {
            self.click = click
            self.link = link
            self.age = age
            self.window = window
        }
    }

    /// Apple's answer whether a search ad in the App Store led to the install.
    package struct SearchAdAttribution: Sendable, Equatable {
        /// The ad's labels in Branch's terms; empty if no ad led to the install.
        package let labels: JSONObject
        /// Whether a session may be attributed to it; false for a test attribution with a live key.
        package let counts: Bool
        /// Seconds since the tap, and the attribution window in seconds. Apple gives no time for users who opted out of tracking.
        package let age: Int64?
        package let window: Int64

        package init(labels: JSONObject, counts: Bool = true, age: Int64?, window: Int64) {
            self.labels = labels
            self.counts = counts
            self.age = age
            self.window = window
        }
    }

    /// The fingerprint signals that a device is compared by with the clicks from its address (probabilistic matching).
    package struct FingerprintSignals: Sendable, Equatable {
        /// The version of the rules that the evidence was gathered for. Earlier versions gathered less, see
        /// ``AttributionRules/fitting(_:)``.
        package var ruleVersion: Int
        package var traits: Traits
        /// Whether the shared address is an IPv6 /64 rather than an IPv4 address.
        package var isIPv6: Bool
        package var density: AddressDensity
        /// Newest first.
        package var clicks: [SimilarClick]
        /// Whether there were more clicks than these.
        package var isCut: Bool
        /// Seconds since the app was installed, or since the store began to install it; nil if the SDK does not report it.
        package var installedAgo: Int64?
        /// Whether the device had the app before this launch.
        package var isKnownDevice: Bool
        /// How common the device's traits are among the app's devices; nil if too few devices are known.
        package var commonness: Commonness?
        /// The languages that the app's devices report, most common first; empty if too few devices are known.
        package var appLanguages: [String]

        package init(
            traits: Traits, isIPv6: Bool = false, density: AddressDensity = AddressDensity(), clicks: [SimilarClick],
            isCut: Bool = false,
            installedAgo: Int64? = nil, isKnownDevice: Bool = false, commonness: Commonness? = nil, appLanguages: [String] = [],
            ruleVersion: Int = AttributionRules.standard.version
        ) {
            self.ruleVersion = ruleVersion
            self.isCut = isCut
            self.traits = traits
            self.isIPv6 = isIPv6
            self.density = density
            self.clicks = clicks
            self.installedAgo = installedAgo
            self.isKnownDevice = isKnownDevice
            self.commonness = commonness
            self.appLanguages = appLanguages
        }
    }

    /// The number of devices, per thousand of an app on one OS, that share each trait of a device; nil for a trait that the device does not
    /// report.
    package struct Commonness: Sendable, Equatable {
        package var osVersion: Int64?
        package var model: Int64?
        package var screen: Int64?

        package init(osVersion: Int64? = nil, model: Int64? = nil, screen: Int64? = nil) {
            self.osVersion = osVersion
            self.model = model
            self.screen = screen
        }
    }

    /// The traits of a device that both a browser and an SDK may report.
    package struct Traits: Sendable, Hashable {
        package var os: String
        package var osVersion: String?
        package var model: String?
        package var screen: Screen?
        /// The primary language without its region, such as `de`: a browser names several regions.
        package var language: String?

        package init(os: String, osVersion: String? = nil, model: String? = nil, screen: Screen? = nil, language: String? = nil) {
            self.os = os
            self.osVersion = osVersion
            self.model = model
            self.screen = screen
            self.language = language
        }
    }

    /// The density of an address: how many others share it.
    package struct AddressDensity: Sendable, Equatable {
        /// The number of ``devices`` and ``clicks`` that are similar to this device: same OS and OS version, same model and screen where
        /// known. Nil if they were not counted.
        package var alike: Int64?
        /// Other devices that launched this app at the address within the last two hours.
        package var devices: Int64
        /// Clicks at the address that are not by robots and are of other devices than this one.
        package var clicks: Int64
        /// The class of an address that is known to be shared by many; nil for other addresses.
        package var isShared: String?

        package init(devices: Int64 = 0, clicks: Int64 = 0, alike: Int64? = nil, isShared: String? = nil) {
            self.alike = alike
            self.devices = devices
            self.clicks = clicks
            self.isShared = isShared
        }

        var size: Int64 { devices + clicks }
    }

    /// A click, not by a robot, from the same address and on the same OS.
    package struct SimilarClick: Sendable, Equatable {
        package let click: Click.ID
        package let link: Link.ID
        /// The data that the click leads to: equal for clicks with the same data, within the evidence of one launch.
        package let content: String
        /// Seconds since the click, and the match window in seconds.
        package let age: Int64
        package let window: Int64
        package let traits: Traits
        /// Whether another device has claimed it.
        package var isClaimed: Bool
        /// Whether its link exists and is not consumed.
        package let isAlive: Bool

        package init(
            click: Click.ID, link: Link.ID, content: String, age: Int64, window: Int64, traits: Traits, isClaimed: Bool = false,
            isAlive: Bool = true
        ) {
            self.click = click
            self.link = link
            self.content = content
            self.age = age
            self.window = window
            self.traits = traits
            self.isClaimed = isClaimed
            self.isAlive = isAlive
        }
    }
}
