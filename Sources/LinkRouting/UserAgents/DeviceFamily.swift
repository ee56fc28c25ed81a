/// A kind of device, as specific as links' control parameters require.
///
/// An iPad's Safari requests desktop pages with the user agent of a Mac by default: it is ``mac`` here, and only a page's script can detect
/// its touch screen (``ClientHints/touchPoints``). Other browsers and most apps on iPads are recognizable.
public enum DeviceFamily: String, Sendable, Hashable, CaseIterable {
    case iPhone = "iphone"
    case iPad = "ipad"
    case iPod = "ipod"
    case androidPhone = "android_phone"
    case androidTablet = "android_tablet"
    case androidTV = "android_tv"
    /// Devices with Amazon's Android and store: tablets, and speakers with a screen.
    case fireTablet = "fire_tablet"
    case fireTV = "fire_tv"
    /// HarmonyOS from version 5 on, which does not run Android apps; Huawei's earlier phones are Android.
    case harmony
    case windowsPhone = "windows_phone"
    case blackBerry = "blackberry"
    /// A phone with a system that none of the stores serves: KaiOS, Symbian, Tizen, Sailfish.
    case otherPhone = "other_phone"
    /// A television without Android.
    case television
    case windows
    case mac
    case chromeOS = "chrome_os"
    case linux

    public var platform: Platform {
        switch self {
        case .iPhone, .iPad, .iPod: .iOS
        case .androidPhone, .androidTablet, .androidTV, .fireTablet, .fireTV: .android
        default: .desktop
        }
    }

    /// The maker, if all devices of the family have the same one.
    var maker: DeviceMaker? {
        switch self {
        case .iPhone, .iPad, .iPod, .mac: .apple
        case .fireTablet, .fireTV: .amazon
        case .harmony: .huawei
        default: nil
        }
    }
}

extension DeviceFamily {
    /// Determines the family from a user agent; Android devices are ``androidPhone`` here, or ``fireTablet`` if the browser is Silk.
    ///
    /// A user agent may name several: a Windows Phone also claims to be an Android and an iPhone, an iPad has the system of an iPhone, an
    /// Android that of Linux. The most specific one wins.
    init?(_ text: UserAgentText) {
        let named = text.words.compactMap(Self.named)
        guard let best = Self.mostTelling.first(where: named.contains) else { return nil }
        switch best {
        // Tizen runs on televisions, too.
        case .otherPhone where text.words.contains { Self.televisions.contains($0.name) }: self = .television
        // A Mac is never mobile, and these programs do not exist on a Mac.
        case .mac where text.words.contains { Self.onlyOniOS.contains($0.name) }: self = .iPad
        default: self = best
        }
    }

    /// Determines the kind of an Android device. Chrome's user agent has `Mobile` on phones and not on tablets; browsers that are not built
    /// on it do not follow this convention.
    init(android text: UserAgentText, model: String?, maker: DeviceMaker?) {
        let names = text.words.lazy.map(\.name)
        if maker == .amazon {
            self = model?.hasPrefix("AFT") == true ? .fireTV : .fireTablet
        } else if names.contains(where: Self.televisions.contains) {
            self = .androidTV
        } else if let model, ["SM-T", "SM-X", "SM-P", "GT-P"].contains(where: model.hasPrefix) {
            self = .androidTablet
        } else if names.contains("tablet") || names.contains("chrome") && !names.contains("mobile") {
            self = .androidTablet
        } else {
            self = .androidPhone
        }
    }

    private static func named(_ word: UserAgentText.Word) -> DeviceFamily? {
        switch word.name {
        case "windows": word.rest.hasPrefix(" Phone") ? .windowsPhone : .windows
        // Silk is also a phone of ZTE's.
        case "silk": word.rest.first == "/" ? .fireTablet : nil
        case let name where name.hasPrefix("blackberry"): .blackBerry
        default: names[word.name]
        }
    }

    private static let mostTelling: [DeviceFamily] = [
        .windowsPhone, .blackBerry, .harmony, .otherPhone, .iPad, .iPod, .iPhone, .fireTablet, .androidPhone, .television,
        .chromeOS,
        .windows, .mac, .linux,
    ]

    private static let names: [String: DeviceFamily] = [
        "iemobile": .windowsPhone, "zunewp7": .windowsPhone, "bb10": .blackBerry, "playbook": .blackBerry, "openharmony": .harmony,
        "tizen": .otherPhone, "kaios": .otherPhone, "symbian": .otherPhone, "symbianos": .otherPhone, "series60": .otherPhone,
        "series40": .otherPhone, "sailfish": .otherPhone, "bada": .otherPhone, "j2me": .otherPhone,
        "ipad": .iPad, "ipod": .iPod, "iphone": .iPhone, "android": .androidPhone,
        "web0s": .television, "webos": .television, "netcast": .television, "roku": .television, "hbbtv": .television,
        "appletv": .television, "viera": .television,
        "cros": .chromeOS, "macintosh": .mac, "linux": .linux, "x11": .linux,
    ]

    private static let televisions: Set<String> = [
        "tv", "smart-tv", "smarttv", "googletv", "androidtv", "bravia", "crkey", "aquos-tv", "hbbtv",
    ]

    private static let onlyOniOS: Set<String> = ["mobile", "crios", "fxios", "edgios", "opios", "gsa", "fbios"]
}
