/// What kind of device a visitor has, as finely as a link's control parameters ask.
///
/// An iPad asks as a Mac unless told otherwise, word for word: in its Safari it is ``mac`` here, and only a page's script can tell
/// it by its touch screen (``ClientHints/touchPoints``). Other browsers and most apps on an iPad give themselves away.
public enum DeviceFamily: String, Sendable, Hashable, CaseIterable {
    case iPhone = "iphone"
    case iPad = "ipad"
    case iPod = "ipod"
    case androidPhone = "android_phone"
    case androidTablet = "android_tablet"
    case androidTV = "android_tv"
    /// Amazon's Android, with Amazon's store: tablets, and speakers with a screen.
    case fireTablet = "fire_tablet"
    case fireTV = "fire_tv"
    /// HarmonyOS from 5 on, which no longer runs Android apps; before it Huawei's phones are Android.
    case harmony
    case windowsPhone = "windows_phone"
    case blackBerry = "blackberry"
    /// A phone whose system none of the stores serves: KaiOS, Symbian, Tizen, Sailfish.
    case otherPhone = "other_phone"
    /// A television that is not Android.
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

    /// Who made it, where only one does.
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
    /// The family that a user agent names; of Android only that it is.
    ///
    /// A user agent names many: a Windows Phone claims to be an Android and an iPhone too, an iPad that its system is an iPhone's,
    /// an Android that it is Linux. The most telling name wins.
    init?(_ text: UserAgentText) {
        let named = text.words.compactMap(Self.named)
        guard let best = Self.mostTelling.first(where: named.contains) else { return nil }
        switch best {
        // Tizen is on televisions too.
        case .otherPhone where text.words.contains { Self.televisions.contains($0.name) }: self = .television
        // A Mac is never mobile, and these programs are never on a Mac.
        case .mac where text.words.contains { Self.onlyOniOS.contains($0.name) }: self = .iPad
        default: self = best
        }
    }

    /// What kind of Android it is. Phones say `Mobile` and tablets do not, but that is Chrome's habit: what is not built upon it
    /// says neither.
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
        // Silk is a phone of ZTE's, too.
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
