import LindenKernel
import LinkRouting

/// An app launch as its SDK reports it, with all spellings of all SDK versions normalized.
package struct SessionStart: Sendable {
    /// The reporting client.
    package enum Caller: Sendable {
        /// An SDK in its first session since it was installed.
        case newInstallation
        case installation
        /// The Web SDK: the device is a browser, and nothing is installed.
        case browser
        /// A customer's server, on behalf of a user; whether the app is new on the device is looked up.
        case server
    }

    package let app: AppContext
    package var caller: Caller
    /// The tokens that the SDK was given before; nil the first time.
    package var device: Device.ID?
    package var identity: Identity.ID?
    /// The App Clip or instant app that this installation replaces.
    package var liteApp: LiteApp?
    /// Whether the user may count as referred by the identity that shared the link, as old SDKs let an app say (`isReferrable`). Nil for
    /// the default: in the first session only.
    package var isReferrable: Bool?
    /// The developer's user id, from SDKs that store it themselves.
    package var developerIdentity: String?
    /// Whether the SDK sends the developer's user id with every session, so that a session without one is a logout.
    package var isLogoutWithoutIdentity: Bool
    package var description: DeviceDescription
    /// Every id under which the browser beside the app may have reported this device.
    package var deviceKeys: [String]
    package var opening: LaunchSource
    package var address: ClientAddress
    package var userAgent: String
    /// Whether the user opted out of tracking: the link's data is returned, nothing is stored.
    package var isTrackingDisabled: Bool
    package var requestKey: RequestKey?
    /// The time from the install, or from the start of the store's installation, to the request, by the device's clock.
    package var installedAgo: Duration?
    /// The App Store search ad, as Apple reported it to the SDK.
    package var searchAd: SearchAd?
    /// The token with which a server can ask Apple for the same, for a day.
    package var appleAttributionToken: String?

    package init(
        app: AppContext, caller: Caller, device: Device.ID? = nil, identity: Identity.ID? = nil, liteApp: LiteApp? = nil,
        isReferrable: Bool? = nil,
        developerIdentity: String? = nil, isLogoutWithoutIdentity: Bool = false,
        description: DeviceDescription = DeviceDescription(), deviceKeys: [String] = [],
        opening: LaunchSource = LaunchSource(), address: ClientAddress, userAgent: String = "", isTrackingDisabled: Bool = false,
        requestKey: RequestKey? = nil, installedAgo: Duration? = nil, searchAd: SearchAd? = nil,
        appleAttributionToken: String? = nil
    ) {
        self.liteApp = liteApp
        self.isReferrable = isReferrable
        self.installedAgo = installedAgo
        self.searchAd = searchAd
        self.appleAttributionToken = appleAttributionToken
        self.requestKey = requestKey
        self.app = app
        self.caller = caller
        self.device = device
        self.identity = identity
        self.developerIdentity = developerIdentity
        self.isLogoutWithoutIdentity = isLogoutWithoutIdentity
        self.description = description
        self.deviceKeys = deviceKeys
        self.opening = opening
        self.address = address
        self.userAgent = userAgent
        self.isTrackingDisabled = isTrackingDisabled
    }

    package var scope: Scope { app.scope }

    /// Whether a server names the user, and no device but perhaps by a token.
    var isByName: Bool { caller == .server && description.hardwareID == nil && developerIdentity != nil }

    /// Whether the browser beside the app may report its last click: before the app's first session only, as the SDKs ask it.
    var mayAskBrowser: Bool {
        !isTrackingDisabled && !deviceKeys.isEmpty && (caller == .newInstallation || device == nil) && caller != .browser
    }
}

/// An App Clip or instant app whose user installed the whole app.
package struct LiteApp: Sendable, Equatable {
    /// The tokens that the App Clip or instant app was given, if it passed them on.
    package var device: Device.ID?
    package var identity: Identity.ID?

    package init(device: Device.ID? = nil, identity: Identity.ID? = nil) {
        self.device = device
        self.identity = identity
    }
}

/// The source of an app launch.
package struct LaunchSource: Sendable {
    /// The click id in the URI that opened the app or in the install referrer.
    package var click: Click.ID?
    /// Whether a click id was sent that is not a valid public id.
    package var hasUnknownClick: Bool
    /// The http or https URL that opened the app, whether or not it is a link of this server.
    package var url: String?
    /// The page or app in which the URL was tapped.
    package var referrer: String?

    package init(click: Click.ID? = nil, hasUnknownClick: Bool = false, url: String? = nil, referrer: String? = nil) {
        self.click = click
        self.hasUnknownClick = hasUnknownClick
        self.url = url
        self.referrer = referrer
    }
}
