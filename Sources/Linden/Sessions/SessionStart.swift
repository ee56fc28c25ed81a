import LinkRouting

/// An app was opened: what its SDK says, every spelling of every version already read into one shape.
package struct SessionStart: Sendable {
    /// Who says so.
    package enum Caller: Sendable {
        /// An SDK for which this is the first session since it was installed.
        case newInstallation
        case installation
        /// The Web SDK: the device is a browser, and nothing is installed.
        case browser
        /// A customer's server for one of his users; whether the app is new there is to be found out.
        case server
    }

    package let app: AppContext
    package var caller: Caller
    /// The tokens the SDK was given before; nil the first time.
    package var device: Device.ID?
    package var identity: Identity.ID?
    /// The App Clip or instant app that this installation takes the place of.
    package var trial: Trial?
    /// Whether the user may count as brought by who shared the link, as old SDKs let an app say (`isReferrable`); nil for the usual: in his
    /// first session, and not in later ones.
    package var isReferrable: Bool?
    /// The developer's user id, from SDKs that keep it themselves.
    package var developerIdentity: String?
    /// Whether the SDK sends the name of its user with every session, so that a session without one is a logout.
    package var isLogoutWithoutIdentity: Bool
    package var description: DeviceDescription
    /// Every id by which the browser beside the app may have been told what device this is.
    package var deviceKeys: [String]
    package var opening: Opening
    package var address: ClientAddress
    package var userAgent: String
    /// The user wants not to be tracked: the link's data is answered, nothing is kept.
    package var isTrackingDisabled: Bool
    package var requestKey: RequestKey?
    /// How long before the request the app was installed, or its store began to install it, by the device's own clock.
    package var installedAgo: Duration?
    /// The ad in the App Store that the user came by, as Apple told the SDK.
    package var searchAd: SearchAd?
    /// By which Apple would tell the same to a server, for a day.
    package var appleAttributionToken: String?

    package init(
        app: AppContext, caller: Caller, device: Device.ID? = nil, identity: Identity.ID? = nil, trial: Trial? = nil,
        isReferrable: Bool? = nil,
        developerIdentity: String? = nil, isLogoutWithoutIdentity: Bool = false,
        description: DeviceDescription = DeviceDescription(), deviceKeys: [String] = [],
        opening: Opening = Opening(), address: ClientAddress, userAgent: String = "", isTrackingDisabled: Bool = false,
        requestKey: RequestKey? = nil, installedAgo: Duration? = nil, searchAd: SearchAd? = nil,
        appleAttributionToken: String? = nil
    ) {
        self.trial = trial
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

    /// - Parameters:
    ///   - isKnown: whether the device was seen before.
    ///   - earlier: what of the app it had then.
    func kind(ofDevice isKnown: Bool, after earlier: AppEnvironment?) -> Session.Kind {
        switch caller {
        case .newInstallation where isTrackingDisabled: .install
        case .newInstallation where isFullAppConversion(from: earlier): .fullAppConversion
        case .newInstallation: isKnown ? .reinstall : .install
        case .installation: .open
        case .browser: .web
        case .server: isKnown ? .open : .install
        }
    }

    private func isFullAppConversion(from earlier: AppEnvironment?) -> Bool {
        // Who has had the whole app before may still have what its clip left behind.
        guard earlier != .fullApp, description.environment?.isTrial != true else { return false }
        return trial != nil || earlier?.isTrial == true && description.environment == .fullApp
    }

    /// Whether the browser beside the app may say what was clicked: before the app's first session, as the SDKs ask it, and never again.
    var mayAskBrowser: Bool {
        !isTrackingDisabled && !deviceKeys.isEmpty && (caller == .newInstallation || device == nil) && caller != .browser
    }
}

/// An App Clip or instant app whose user has installed the whole app.
package struct Trial: Sendable, Equatable {
    /// The tokens that the clip was given, if it passed them on.
    package var device: Device.ID?
    package var identity: Identity.ID?

    package init(device: Device.ID? = nil, identity: Identity.ID? = nil) {
        self.device = device
        self.identity = identity
    }
}

/// What opened the app.
package struct Opening: Sendable {
    /// The click id in the URI that opened the app or in the install referrer.
    package var click: Click.ID?
    /// A click id was sent that is not even a number of ours.
    package var hasUnknownClick: Bool
    /// The http or https URL that opened the app, ours or not.
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
