import LinkRouting

/// An app was opened: what its SDK says, every spelling of every version already read into one shape.
package struct SessionStart: Sendable {
    package let app: AppContext
    package var kind: Session.Kind
    /// The tokens the SDK was given before; nil the first time.
    package var device: Device.ID?
    package var identity: Identity.ID?
    /// The developer's user id, from SDKs that keep it themselves.
    package var developerIdentity: String?
    package var description: DeviceDescription
    package var opening: Opening
    package var address: ClientAddress
    package var userAgent: String
    /// The user wants not to be tracked: the link's data is answered, nothing is kept.
    package var isTrackingDisabled: Bool
    package var requestKey: RequestKey?

    package init(
        app: AppContext, kind: Session.Kind, device: Device.ID? = nil, identity: Identity.ID? = nil,
        developerIdentity: String? = nil, description: DeviceDescription = DeviceDescription(), opening: Opening = Opening(),
        address: ClientAddress, userAgent: String = "", isTrackingDisabled: Bool = false,
        requestKey: RequestKey? = nil
    ) {
        self.requestKey = requestKey
        self.app = app
        self.kind = kind
        self.device = device
        self.identity = identity
        self.developerIdentity = developerIdentity
        self.description = description
        self.opening = opening
        self.address = address
        self.userAgent = userAgent
        self.isTrackingDisabled = isTrackingDisabled
    }

    package var scope: Scope { app.scope }

    var fingerprint: Fingerprint? {
        guard !isTrackingDisabled, let os = description.os, let version = description.osVersion, !address.matchKey.isEmpty else {
            return nil
        }
        return Fingerprint(scope: scope, address: address.matchKey, os: os, osVersion: version)
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

    package init(click: Click.ID? = nil, hasUnknownClick: Bool = false, url: String? = nil) {
        self.click = click
        self.hasUnknownClick = hasUnknownClick
        self.url = url
    }
}
