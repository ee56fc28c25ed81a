import Linden
import LinkRouting

/// `POST /v1/install` and `POST /v1/open`, in the spellings of all SDK generations.
///
/// Never refused for one odd field: a value of the wrong type, or a URL that is longer than any link, counts as missing.
package struct OpenRequest: Sendable {
    package enum Endpoint: Sendable {
        case install
        case open
    }

    private let body: RequestFields
    private let endpoint: Endpoint

    package init(_ body: RequestFields, endpoint: Endpoint) {
        self.body = body
        self.endpoint = endpoint
    }

    /// The session to begin.
    ///
    /// - Parameters:
    ///   - userAgent: from the header. A `user_agent` in the body takes precedence.
    ///   - clientHints: of a browser, beside its user agent.
    package func sessionStart(
        app: AppContext, address: ClientAddress, userAgent: String, clientHints: ClientHints = ClientHints(), _ ids: PublicIDs
    ) -> SessionStart {
        let hasToken =
            body.text("randomized_device_token", "device_fingerprint_id", "randomized_bundle_token", "identity_id") != nil
        let tokens = body.tokens(ids)
        let isTrackingDisabled = body.isTrackingDisabled
        // The C++ SDK never calls install: its first open is the one without any token. Where tracking is disabled, tokens are held back.
        let isInstall = endpoint == .install || !hasToken && !isTrackingDisabled
        let isBrowser = WebQuirks.isWeb(body)
        let userAgent = Visit.shortened(userAgent: body.text("user_agent") ?? userAgent)
        var description = description(in: app.scope.mode)
        if isBrowser { description.describeBrowser(userAgent: userAgent, clientHints: clientHints) }
        return SessionStart(
            app: app,
            caller: isBrowser ? .browser : isInstall ? .newInstallation : .installation,
            device: tokens.device,
            identity: tokens.identity,
            trial: isTrackingDisabled ? nil : Trial(body, ids),
            isReferrable: body.isFlag("is_referrable") ? body.flag("is_referrable") : nil,
            developerIdentity: developerIdentity,
            isLogoutWithoutIdentity: SDKVersion(body).namesUserInEveryOpen,
            description: description,
            deviceKeys: DeviceDescription.keys(body),
            opening: Opening(body, endpoint, isFirst: isInstall, ids),
            address: address,
            userAgent: userAgent,
            isTrackingDisabled: isTrackingDisabled,
            requestKey: body.requestKey(for: endpoint == .install ? "v1/install" : "v1/open"),
            installedAgo: isInstall && !isTrackingDisabled ? InstallTimes.installedAgo(body) : nil,
            searchAd: isTrackingDisabled ? nil : IOSQuirks.searchAd(body),
            appleAttributionToken: isTrackingDisabled ? nil : IOSQuirks.appleAttributionToken(body))
    }

    /// With a test key, an app in debug mode is a new device at each install, so that a first session can be tried again and again
    /// (Branch's debug mode, "simulate an install").
    private func description(in mode: Mode) -> DeviceDescription {
        var description = DeviceDescription(body)
        if mode == .test, body.flag("debug") { description.hardwareID = nil }
        return description
    }

    /// Longer than Branch allows counts as none: an install is never refused for it.
    private var developerIdentity: String? {
        body.text("identity").flatMap { $0.unicodeScalars.count <= Limits.identity ? $0 : nil }
    }
}

extension DeviceDescription {
    package init(_ body: RequestFields) {
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
            sdk: SDKVersion(body).text,
            country: body.shortText("country"),
            language: body.shortText("language"),
            environment: body.text("environment").flatMap(AppEnvironment.init))
    }

    private static let longestVersion = 16

    private static func osName(_ text: String) -> String {
        switch text.lowercased() {
        case "ios": "iOS"
        // Amazon's Android calls itself something else, and so do its browsers; it is one all the same.
        case "android", "amazon_fire", "amazon_fire_tv": "Android"
        default: text
        }
    }

    /// An id that is the same after a reinstall and that only the app's maker sees. The vendor id comes before `hardware_id`, which on
    /// iOS is now the advertising id, now the vendor id, as the user allows; on Android an advertising id makes `hardware_id` random.
    ///
    /// Systems give everybody the same id who does not allow a real one: all zeros. It is nobody's, or strangers would be one user.
    static func hardwareID(_ body: RequestFields) -> String? {
        let isReal = body.flag("is_hardware_id_real") && body.text("hardware_id_type") != "idfa"
        return [body.text("ios_vendor_id"), isReal ? body.text("hardware_id") : nil].compactMap { $0 }.first(where: isPersonal)
    }

    /// The advertising id, under each system's name.
    static func advertisingID(_ body: RequestFields) -> String? {
        let apple = body.text("hardware_id_type") == "idfa" ? body.text("hardware_id") : nil
        return [AndroidQuirks.advertisingID(body), apple].compactMap { $0 }.first(where: isPersonal)
    }

    /// Every id by which a page in the phone's browser may have named this device, see `/_strong_match`.
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

extension Opening {
    /// Old Android SDKs keep `link_click_id` and send it with whatever follows; it tells of an opening with an install alone. So does the
    /// store's referrer, which is the same for as long as the app is installed.
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

    /// The click id in the app's own URI, for SDKs that hand over the URI alone.
    private static func clickID(inURI body: RequestFields) -> String? {
        guard let uri = body.address("external_intent_uri", "app_link_url") else { return nil }
        return URLParts(uri).queryItems.first { $0.name == "link_click_id" }?.value
    }
}
