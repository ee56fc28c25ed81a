import LinkRouting

/// One installation of an app on one phone, tablet or computer.
package struct Device: Sendable {
    package typealias ID = Identifier<Device>

    package let id: ID
    package let scope: Scope
    /// The user who is using it now.
    package var identity: Identity.ID
    /// A browser with the Web SDK; see ``Browser``.
    package let isBrowser: Bool
    /// When the app was first installed here; nil for a browser, and where no install is known.
    package let installedAt: Timestamp?
    package var description: DeviceDescription

    package init(
        id: ID, scope: Scope, identity: Identity.ID, isBrowser: Bool = false, installedAt: Timestamp? = nil,
        description: DeviceDescription
    ) {
        self.isBrowser = isBrowser
        self.installedAt = installedAt
        self.id = id
        self.scope = scope
        self.identity = identity
        self.description = description
    }
}

/// What an SDK says about the device it runs on.
package struct DeviceDescription: Sendable, Equatable {
    /// An id that survives a reinstall and that few know (vendor or hardware id); nil if there is none or it is random.
    package var hardwareID: String?
    /// The id that every advertiser knows the device by.
    package var advertisingID: String?
    /// `iOS`, `Android` and so on, as the SDK spells it.
    package var os: String?
    /// In the spelling of ``OSVersion/normalized(_:)``.
    package var osVersion: String?
    package var brand: String?
    package var model: String?
    package var screen: Screen?
    package var appVersion: String?
    package var sdk: String?
    package var country: String?
    package var language: String?
    /// What of the app is running; nil from SDKs that do not say.
    package var environment: AppEnvironment?
    /// Of a browser, see ``LinkRouting/Visitor/browserWord``.
    package var browser: String?
    /// Of a browser.
    package var userAgent: String?

    var platform: Platform {
        switch os {
        case "iOS": .iOS
        case "Android": .android
        default: .desktop
        }
    }

    package init(
        hardwareID: String? = nil, advertisingID: String? = nil, os: String? = nil, osVersion: String? = nil, brand: String? = nil,
        model: String? = nil, screen: Screen? = nil,
        appVersion: String? = nil, sdk: String? = nil, country: String? = nil, language: String? = nil,
        environment: AppEnvironment? = nil, browser: String? = nil, userAgent: String? = nil
    ) {
        self.hardwareID = hardwareID
        self.advertisingID = advertisingID
        self.os = os
        self.osVersion = osVersion
        self.brand = brand
        self.model = model
        self.screen = screen
        self.appVersion = appVersion
        self.sdk = sdk
        self.country = country
        self.language = language
        self.environment = environment
        self.browser = browser
        self.userAgent = userAgent
    }
}

package protocol DeviceReader {
    func device(_ id: Device.ID) throws -> Device?
    /// The device of a scope that an SDK knows by this hardware id.
    func device(hardwareID: String, in scope: Scope) throws -> Device?
    func device(advertisingID: String, in scope: Scope) throws -> Device?
    /// The newest device with the app that a user is on; never a browser.
    func device(of user: Identity.ID) throws -> Device?
    /// The last click that led a device, or a user on any device, into the app: the later of both.
    func lastTouch(device: Device.ID?, identity: Identity.ID?) throws -> Click.ID?
    /// The token by which Apple would say whether an ad brought the device; nil if its SDK sent none.
    func appleAttributionToken(of device: Device.ID) throws -> String?
}

package protocol DeviceRepository: DeviceReader {
    /// False if the id is taken.
    func insert(_ device: Device, at time: Timestamp) throws -> Bool
    /// Takes over what the device says of itself now; what it leaves out, and the time of its first install, stay as they are.
    func update(_ device: Device, at time: Timestamp) throws
    /// Says who uses a device from now on.
    func assign(_ identity: Identity.ID, to device: Device.ID) throws
    /// Notes the click that led a device and its user into the app.
    func setLastTouch(_ click: Click.ID, device: Device.ID, identity: Identity.ID) throws
    /// Keeps the token that a device sent last: it makes one for each installation.
    func setAppleAttributionToken(_ token: String, of device: Device.ID) throws
}
