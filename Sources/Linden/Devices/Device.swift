import LindenKernel
import LinkRouting

/// One installation of an app on one phone, tablet or computer.
package struct Device: Sendable {
    package typealias ID = Identifier<Device>

    package let id: ID
    package let scope: Scope
    /// The identity that uses the device now.
    package var identity: Identity.ID
    /// That identity, as read together with the device. Nil if it was erased, and for a device that was not read from storage.
    package let user: Identity?
    /// The last touch on the device, as stored when it was read.
    package let lastClick: Click.ID?
    /// A browser with the Web SDK; see ``Browser``.
    package let isBrowser: Bool
    /// When the app was first installed on the device; nil for a browser, and if no install is known.
    package let installedAt: Timestamp?
    /// The site of the device's session, see ``AddressPseudonymizer/site(of:)``. Nil if unknown, and for a device that was read from storage.
    package let site: Int64?
    package var description: DeviceDescription

    package init(
        id: ID, scope: Scope, identity: Identity.ID, isBrowser: Bool = false, installedAt: Timestamp? = nil,
        site: Int64? = nil, description: DeviceDescription, user: Identity? = nil, lastClick: Click.ID? = nil
    ) {
        self.user = user
        self.lastClick = lastClick
        self.site = site
        self.isBrowser = isBrowser
        self.installedAt = installedAt
        self.id = id
        self.scope = scope
        self.identity = identity
        self.description = description
    }
}

/// The description of a device, as its SDK reports it.
package struct DeviceDescription: Sendable, Equatable {
    /// An id that survives a reinstall and is not widely known (vendor or hardware id); nil if there is none or it is random.
    package var hardwareID: String?
    /// The advertising id, which every advertiser knows the device by.
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
    /// The running variant of the app; nil from SDKs that do not report it.
    package var environment: AppEnvironment?
    /// The browser's name, see ``LinkRouting/Visitor/browserWord``; nil for an app.
    package var browser: String?
    /// The browser's user agent; nil for an app.
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
    /// Returns the scope of a device without reading the rest of it; nil if there is no such device.
    func scope(of device: Device.ID) throws -> Scope?
    /// Returns the device of a scope with a hardware id; an app rather than a browser.
    func device(hardwareID: String, in scope: Scope) throws -> Device?
    /// Returns the id of ``device(hardwareID:in:)``.
    func deviceID(hardwareID: String, in scope: Scope) throws -> Device.ID?
    /// Returns the first app that reported an advertising id. Anybody can report another's later.
    func firstApp(advertisingID: String, in scope: Scope) throws -> Device?
    /// Returns the identities of all apps and browsers that reported an id as their hardware id or as their advertising id.
    func identities(ofDevicesThatReported id: String, in scope: Scope) throws -> Set<Identity.ID>
    /// Returns the app's device that stands for an identity: its first, even if another user has it now; nil if that is a browser.
    ///
    /// - Parameter orLater: otherwise the oldest that has the identity now. It may be a stranger's who logged in by the user's name, so it
    ///   may stand for the user only where a device is held against its user.
    func device(of user: Identity.ID, orLater: Bool) throws -> Device?
    /// Returns the first device that had an identity, an app or a browser; nil if only servers have named the user.
    func firstDevice(of user: Identity.ID) throws -> Device.ID?
    /// Returns the token with which Apple can be asked whether an ad led to the install; nil if the SDK sent none.
    func appleAttributionToken(of device: Device.ID) throws -> String?
}

extension DeviceReader {
    /// Whether a user counts as referred on a device: it is the user's first, or the first with the app if the user has used browsers
    /// before. Others do not count: anyone who knows a user's name can make one up, and would take the reward from the identity that
    /// brought the user.
    package func countsReferrals(_ device: Device.ID, of user: Identity.ID) throws -> Bool {
        guard let first = try firstDevice(of: user), first != device else { return true }
        guard try self.device(first)?.isBrowser == true, try self.device(device)?.isBrowser == false else { return false }
        return try self.device(of: user, orLater: true).map { $0.id == device } ?? true
    }
}

package protocol DeviceRepository: DeviceReader {
    /// Inserts a device whose id is new.
    func insert(_ device: Device, at time: Timestamp) throws
    /// Inserts a device. Returns false if the id is taken.
    func insertUnlessTaken(_ device: Device, at time: Timestamp) throws -> Bool
    /// Updates a device with the values reported now; absent values, and the time of its first install, stay as they are.
    ///
    /// - Parameter known: the device as this transaction has read it.
    func update(_ device: Device, from known: Device, at time: Timestamp) throws
    /// Sets the identity of a device.
    func assign(_ identity: Identity.ID, to device: Device.ID) throws
    /// Makes a device the first of an identity.
    func setFirstDevice(_ device: Device.ID, of user: Identity.ID) throws
    /// Sets the last touch of a device and of an identity, unless they are nil.
    func setLastTouch(_ click: Click.ID, device: Device.ID?, identity: Identity.ID?) throws
    /// Stores the token that a device sent last: it creates one for each installation.
    func setAppleAttributionToken(_ token: String, of device: Device.ID) throws
}
