/// Everything that may tie one opening of an app to a click, gathered before anything is decided. Kept with the session, so that the
/// decision can be made again.
package struct Evidence: Sendable, Equatable {
    /// A click id that came with the opening.
    package var linkClick: LinkClick
    /// The URL that opened the app.
    package var linkURL: LinkURL
    /// What the browser on the same device clicked last.
    package var browserClick: NamedClick?
    /// The newest click whose address named the device's own id.
    package var deviceClick: NamedClick?
    /// What Apple told the app of an ad in its store; nil if nothing.
    package var searchAd: StoreAd?
    /// Clicks that may be this device's; nil if the device cannot be compared.
    package var likeness: Likeness?
    /// Whether addresses are kept; without them nothing is compared.
    package var isAddressKept: Bool
    /// Whether the app is to be matched by address and device at all.
    package var isFingerprintAllowed = true
    /// False where the app says that its user is not to count as brought by another. Nothing is matched by it.
    package var mayBeReferred = true

    package init(
        linkClick: LinkClick = .none, linkURL: LinkURL = .none, browserClick: NamedClick? = nil, deviceClick: NamedClick? = nil,
        searchAd: StoreAd? = nil, likeness: Likeness? = nil, isAddressKept: Bool = true
    ) {
        self.isAddressKept = isAddressKept
        self.linkClick = linkClick
        self.linkURL = linkURL
        self.browserClick = browserClick
        self.deviceClick = deviceClick
        self.searchAd = searchAd
        self.likeness = likeness
    }

    package enum LinkClick: Sendable, Equatable {
        case none
        /// An id that is no click of this app.
        case unknown
        case found(NamedClick)
        /// A click of a link that was for one use.
        case usedUp
    }

    package enum LinkURL: Sendable, Equatable {
        case none
        /// A URL that is no link of this app.
        case foreign
        case found(link: Link.ID)
        /// A link of this app that was for one use, or for a time or so many clicks.
        case ended
    }

    /// A click that is known by an id.
    package struct NamedClick: Sendable, Equatable {
        package let click: Click.ID
        package let link: Link.ID
        /// Seconds since the click, and how many it may be.
        package let age: Int64
        package let window: Int64

        package init(click: Click.ID, link: Link.ID, age: Int64, window: Int64) {
            self.click = click
            self.link = link
            self.age = age
            self.window = window
        }

        var isTooOld: Bool { age >= window }
    }

    /// What Apple answered that was asked whether an ad in its store brought a user.
    package struct StoreAd: Sendable, Equatable {
        /// The ad in Branch's words; empty if none brought him.
        package let labels: JSONObject
        /// Whether a session may be given to it: with a live key not to a made-up one.
        package let counts: Bool
        /// Seconds since the tap, and how many it may be. Apple tells no time of users who do not want to be tracked.
        package let age: Int64?
        package let window: Int64

        package init(labels: JSONObject, counts: Bool = true, age: Int64?, window: Int64) {
            self.labels = labels
            self.counts = counts
            self.age = age
            self.window = window
        }
    }

    /// What a device is compared by with the clicks from its address.
    package struct Likeness: Sendable, Equatable {
        /// The rules that this was gathered for. Those of earlier versions asked for less, see ``AttributionRules/fitting(_:)``.
        package var ruleVersion: Int
        package var traits: Traits
        /// Whether they are of one /64 of IPv6 rather than of one address of IPv4.
        package var isIPv6: Bool
        package var crowd: Crowd
        /// Newest first.
        package var clicks: [SimilarClick]
        /// Whether there were more clicks than these.
        package var isCut: Bool
        /// Seconds since the app was installed, or since the store began to; nil where the SDK does not report it.
        package var installedAgo: Int64?
        /// Whether the device had the app before this opening.
        package var isKnownDevice: Bool
        /// How common the device's traits are among the app's devices; nil where too few are known.
        package var commonness: Commonness?
        /// The languages that the app's own devices report, the most common first; empty where too few are known.
        package var appLanguages: [String]

        package init(
            traits: Traits, isIPv6: Bool = false, crowd: Crowd = Crowd(), clicks: [SimilarClick], isCut: Bool = false,
            installedAgo: Int64? = nil, isKnownDevice: Bool = false, commonness: Commonness? = nil, appLanguages: [String] = [],
            ruleVersion: Int = AttributionRules.standard.version
        ) {
            self.ruleVersion = ruleVersion
            self.isCut = isCut
            self.traits = traits
            self.isIPv6 = isIPv6
            self.crowd = crowd
            self.clicks = clicks
            self.installedAgo = installedAgo
            self.isKnownDevice = isKnownDevice
            self.commonness = commonness
            self.appLanguages = appLanguages
        }
    }

    /// Of a thousand devices of an app on one system, how many have the same trait as one; nil for a trait that the device does not
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

    /// What a browser and an SDK both may tell of a device.
    package struct Traits: Sendable, Hashable {
        package var os: String
        package var osVersion: String?
        package var model: String?
        package var screen: Screen?
        /// `de`, without its region: a browser names several of those.
        package var language: String?

        package init(os: String, osVersion: String? = nil, model: String? = nil, screen: Screen? = nil, language: String? = nil) {
            self.os = os
            self.osVersion = osVersion
            self.model = model
            self.screen = screen
            self.language = language
        }
    }

    /// How many share the address.
    package struct Crowd: Sendable, Equatable {
        /// Those of ``devices`` and ``clicks`` that are like this device: same system and version, same model, screen where known. Nil
        /// where they were not counted.
        package var alike: Int64?
        /// Other devices that opened this app behind the address within the window.
        package var devices: Int64
        /// People's clicks behind it that are of other devices than this.
        package var clicks: Int64
        /// Whether the operator knows the address to be shared by many, and from where.
        package var isShared: String?

        package init(devices: Int64 = 0, clicks: Int64 = 0, alike: Int64? = nil, isShared: String? = nil) {
            self.alike = alike
            self.devices = devices
            self.clicks = clicks
            self.isShared = isShared
        }

        var size: Int64 { devices + clicks }
    }

    /// A person's click from the same address, on the same system.
    package struct SimilarClick: Sendable, Equatable {
        package let click: Click.ID
        package let link: Link.ID
        /// Equal for clicks that lead to the same data, within one opening's evidence.
        package let content: String
        /// Seconds since the click, and how many it may be.
        package let age: Int64
        package let window: Int64
        package let traits: Traits
        /// Whether another device was given it.
        package var isClaimed: Bool
        /// Whether its link still leads somewhere.
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
