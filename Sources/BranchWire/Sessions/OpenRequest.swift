import Linden
import LindenKernel
import LinkRouting

/// A request of `POST /v1/install` or `POST /v1/open`, in the spellings of all SDK generations.
///
/// A malformed field never fails the request: a value of the wrong type, or a URL longer than any link, counts as missing.
package struct OpenRequest: Sendable {
    package enum Endpoint: Sendable {
        case install
        case open
    }

    let body: RequestFields
    let sdk: SDKVersion
    private let endpoint: Endpoint

    package init(_ body: RequestFields, endpoint: Endpoint) {
        self.body = body
        self.endpoint = endpoint
        sdk = SDKVersion(body)
    }

    /// Returns the session to start.
    ///
    /// - Parameters:
    ///   - userAgent: from the header. A `user_agent` in the body takes precedence.
    ///   - clientHints: a browser's client hints, which supplement its User-Agent. Not read for an app.
    package func sessionStart(
        app: AppContext, address: ClientAddress, userAgent: String, clientHints: @autoclosure () -> ClientHints = ClientHints(),
        _ ids: PublicIDs
    ) -> SessionStart {
        let hasToken =
            body.text("randomized_device_token", "device_fingerprint_id", "randomized_bundle_token", "identity_id") != nil
        let tokens = body.tokens(ids)
        let isTrackingDisabled = body.isTrackingDisabled
        // The C++ SDK never calls install: its first open is the one without any token. With tracking disabled, SDKs omit tokens.
        let isInstall = endpoint == .install || !hasToken && !isTrackingDisabled
        let isBrowser = sdk.family == .web
        let userAgent = Visit.shortened(userAgent: body.text("user_agent") ?? userAgent)
        var description = description(in: app.scope.mode)
        if isBrowser { description.describeBrowser(userAgent: userAgent, clientHints: clientHints()) }
        return SessionStart(
            app: app,
            caller: isBrowser ? .browser : isInstall ? .newInstallation : .installation,
            device: tokens.device,
            identity: tokens.identity,
            liteApp: isTrackingDisabled ? nil : LiteApp(body, ids),
            isReferrable: body.isFlag("is_referrable") ? body.flag("is_referrable") : nil,
            developerIdentity: developerIdentity,
            isLogoutWithoutIdentity: sdk.namesUserInEveryOpen,
            description: description,
            deviceKeys: DeviceDescription.keys(body),
            opening: LaunchSource(body, endpoint, isFirst: isInstall, ids),
            address: address,
            userAgent: userAgent,
            isTrackingDisabled: isTrackingDisabled,
            // The response has the tokens and data of the session.
            requestKey: body.requestKey(for: endpoint == .install ? "v1/install" : "v1/open", from: address),
            installedAgo: isInstall && !isTrackingDisabled ? InstallTimes.installedAgo(body) : nil,
            searchAd: isTrackingDisabled ? nil : IOSQuirks.searchAd(body),
            appleAttributionToken: isTrackingDisabled ? nil : IOSQuirks.appleAttributionToken(body))
    }

    /// Returns the device description. With a test key, an app in debug mode is a new device at each install, so that a first session can
    /// be tested repeatedly (Branch's debug mode, "simulate an install").
    private func description(in mode: Mode) -> DeviceDescription {
        var description = DeviceDescription(body, sdk: sdk)
        if mode == .test, body.flag("debug") { description.hardwareID = nil }
        return description
    }

    /// The developer identity; nil if it exceeds Branch's limit, so that an install never fails because of it.
    private var developerIdentity: String? {
        body.text("identity").flatMap { $0.unicodeScalars.count <= LengthLimits.identity ? $0 : nil }
    }
}

/// A request of `POST /v1/open` from a customer's server for one of its users (Branch's Attribution API). In contrast to an SDK, its author
/// can correct it, so missing fields are errors.
package struct ServerOpenRequest: Sendable {
    private let body: RequestFields

    /// Returns nil for an SDK's call.
    package init?(_ body: RequestFields) {
        guard body.flag("server_to_server") else { return nil }
        self.body = body
    }

    /// Returns the session to start. Fails with `invalid` and the name of the field.
    package func sessionStart(app: AppContext, _ ids: PublicIDs) throws -> SessionStart {
        try check()
        // The peer is the customer's server, so the user's address is known only if the body contains it.
        let address = body.text("ip").flatMap { ClientAddress($0) } ?? .unknown
        var start = OpenRequest(body, endpoint: .open).sessionStart(app: app, address: address, userAgent: "", ids)
        start.caller = .server
        if !body.flag("ad_tracking_enabled") {
            start.description.hardwareID = nil
            start.description.advertisingID = nil
            start.deviceKeys = []
        }
        return start
    }

    private func check() throws {
        guard ["ios", "android"].contains(body.text("os")?.lowercased()) else {
            throw Failure.invalid("os must be iOS or Android.")
        }
        for name in ["os_version", "app_version", "model"] where body.text(name) == nil {
            throw Failure.invalid("\(name) is missing; use NA if it is unknown.")
        }
        for name in ["ad_tracking_enabled", "is_hardware_id_real"] where !body.isFlag(name) {
            throw Failure.invalid("\(name) must be true or false.")
        }
        if let ip = body.text("ip"), ClientAddress(ip) == nil {
            throw Failure.invalid("ip must be the IPv4 or IPv6 address of the user.")
        }
    }
}

extension DeviceDescription {
    init(_ body: RequestFields, sdk: SDKVersion) {
        let os = body.shortText("os").map(Self.osName)
        let osVersion =
            os == "Android" ? AndroidQuirks.osVersion(body) : body.shortText("os_version").map { OSVersion.normalized($0) }
        self.init(
            hardwareID: Self.hardwareID(body),
            advertisingID: Self.advertisingID(body),
            os: os,
            osVersion: osVersion.map { String($0.prefix(Self.longestVersion)) },
            brand: body.shortText("brand"),
            model: body.shortText("model"),
            screen: Screen(body, os: os),
            appVersion: body.shortText("app_version"),
            sdk: sdk.text,
            country: body.shortText("country"),
            language: body.shortText("language"),
            environment: body.text("environment").flatMap(AppEnvironment.init))
    }

    private static let longestVersion = 16

    private static func osName(_ text: String) -> String {
        switch text.lowercased() {
        case "ios": "iOS"
        // Amazon's devices and their browsers use other names for their version of Android.
        case "android", "amazon_fire", "amazon_fire_tv": "Android"
        default: text
        }
    }

    /// Returns an id that stays the same after a reinstall and that only the app's vendor receives. The vendor id is preferred to
    /// `hardware_id`, which on iOS is the advertising id or the vendor id, depending on the user's permission; on Android an advertising id
    /// makes `hardware_id` random.
    ///
    /// Without permission for a real id, systems return a placeholder of all zeros. It is ignored, as are texts such as `null`, since all
    /// such devices would otherwise be one.
    static func hardwareID(_ body: RequestFields) -> String? {
        let isReal = body.flag("is_hardware_id_real") && body.text("hardware_id_type") != "idfa"
        return [body.text("ios_vendor_id"), isReal ? body.text("hardware_id") : nil].compactMap { $0 }.first(where: isPersonal)
    }

    /// Returns the advertising id, under each system's name.
    static func advertisingID(_ body: RequestFields) -> String? {
        let apple = body.text("hardware_id_type") == "idfa" ? body.text("hardware_id") : nil
        return [AndroidQuirks.advertisingID(body), apple].compactMap { $0 }.first(where: isPersonal)
    }

    /// Returns all ids by which a page in the phone's browser may have identified this device, see `/_strong_match`.
    package static func keys(_ body: RequestFields) -> [String] {
        [
            body.text("hardware_id"), body.text("ios_vendor_id"), AndroidQuirks.advertisingID(body),
            body.text("randomized_device_token", "device_fingerprint_id"),
        ].compactMap { $0 }.filter(isPersonal)
    }

    private static func isPersonal(_ id: String) -> Bool {
        id.utf8.count <= RequestFields.longestID && id.contains { $0 != "0" && $0 != "-" }
            && !["null", "(null)", "undefined", "unknown"].contains(id.lowercased())
    }
}

extension LaunchSource {
    /// Old Android SDKs store `link_click_id` and send it with every later request, so it counts in an install only. The store's referrer,
    /// which stays the same as long as the app is installed, counts in a first session only.
    ///
    /// - Parameter isFirst: whether the SDK has no token yet.
    init(_ body: RequestFields, _ endpoint: OpenRequest.Endpoint, isFirst: Bool, _ ids: PublicIDs) {
        let clickText =
            body.address("link_identifier") ?? (endpoint == .install ? body.address("link_click_id") : nil)
            ?? Self.clickID(inURI: body)
            ?? (isFirst ? InstallReferrer.clickID(body) : nil)
        let click: Click.ID? = clickText.flatMap { ids.id(for: $0) }
        let url =
            body.address("universal_link_url", "android_app_link_url", "push_identifier", "app_link_url")
            ?? IOSQuirks.spotlightURL(body) ?? body.address("local_url", "external_intent_uri")
        self.init(
            click: click,
            hasUnknownClick: clickText != nil && click == nil,
            url: url.flatMap { $0.lowercased().hasPrefix("http") ? $0 : nil },
            referrer: body.text("initial_referrer").flatMap { $0.utf8.count <= Self.longestReferrer ? $0 : nil })
    }

    /// In bytes.
    private static let longestReferrer = 2048

    /// Returns the click id in the app's own URI, for SDKs that send only the URI.
    private static func clickID(inURI body: RequestFields) -> String? {
        guard let uri = body.address("external_intent_uri", "app_link_url") else { return nil }
        return URLParts(uri).queryItems.first { $0.name == "link_click_id" }?.value
    }
}
