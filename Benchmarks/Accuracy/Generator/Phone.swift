import LinkRouting

/// A kind of phone on the market.
struct PhoneModel: Sendable, Hashable {
    let os: OperatingSystem
    /// The name that SDKs report: `iPhone15,4`, `SM-S928U`.
    let name: String
    let screen: Screen

    var isTablet: Bool { name.hasPrefix("iPad") }

    static func iPhone(_ name: String, _ width: Double, _ height: Double, _ scale: Double) -> PhoneModel {
        PhoneModel(os: .iOS, name: name, screen: .points(width, height, scale: scale))
    }

    static func android(_ name: String, _ width: Double, _ height: Double, _ scale: Double) -> PhoneModel {
        PhoneModel(os: .android, name: name, screen: .pixels(width, height, scale: scale))
    }
}

struct AndroidVersion: Sendable, Hashable {
    let release: String
    /// The number that SDKs report.
    let apiLevel: Int

    init(_ release: String, _ apiLevel: Int) {
        self.release = release
        self.apiLevel = apiLevel
    }
}

/// The model and OS of a phone, which phones issued together share.
struct PhoneMake: Sendable, Hashable {
    let model: PhoneModel
    /// The OS version as parsed from an SDK's report: `26.1`, `14`.
    let osVersion: String
    let apiLevel: Int?

    var os: OperatingSystem { model.os }
}

/// One person's phone.
struct Phone: Sendable {
    let make: PhoneMake
    let language: Language
    let timeZone: String
    let chromeVersion: Int
    let webViewVersion: Int
    /// Whether Safari's `Version/` has a third component.
    let safariTellsPatch: Bool
    /// Whether Display Zoom makes its browsers report a smaller screen than SDKs do.
    var isZoomed = false

    /// The screen as a page's script reads it.
    var browserScreen: Screen {
        let screen = make.model.screen
        guard isZoomed else { return screen }
        return .points((screen.width * Figures.zoom).rounded(), (screen.height * Figures.zoom).rounded(), scale: screen.scale)
    }

    var os: OperatingSystem { make.os }
}

/// A phone's language setting.
struct Language: Sendable, Hashable {
    /// The BCP 47 tag, such as `en-US`.
    let tag: String
    /// The primary language, such as `en`.
    let code: String

    init(_ tag: String) {
        self.tag = tag
        code = String(tag.prefix { $0 != "-" })
    }
}

/// Draws phones by their shares.
struct PhoneMarket: Sendable {
    private let iPhones = Weighted(Figures.iPhones)
    private let iPads = Weighted(Figures.iPads)
    private let androids = Weighted.zipf(Figures.androids, exponent: Figures.androidZipf)
    private let iOSVersions = Weighted(Figures.iOSVersions)
    private let androidVersions = Weighted(Figures.androidVersions)
    private let chromeVersions = Weighted(Figures.chromeVersions)
    private let iPhoneShare: Double
    private let assumptions: Assumptions

    init(iPhoneShare: Double, _ assumptions: Assumptions) {
        self.iPhoneShare = iPhoneShare
        self.assumptions = assumptions
    }

    func make(_ random: inout SeededRandom) -> PhoneMake {
        make(random.chance(iPhoneShare) ? .iOS : .android, &random)
    }

    /// Draws another phone of a household: mostly with the same OS, and then sometimes of the same model or version.
    func make(beside other: PhoneMake, _ random: inout SeededRandom) -> PhoneMake {
        guard random.chance(Figures.householdSharesSystem) else { return make(&random) }
        if random.chance(assumptions.twins) { return other }
        let own = make(other.os, &random)
        guard random.chance(assumptions.updateNight) else { return own }
        return PhoneMake(model: own.model, osVersion: other.osVersion, apiLevel: other.apiLevel)
    }

    /// Draws the phones that a company issues: one or two models, with the newest OS.
    func companyPhones(_ random: inout SeededRandom) -> [PhoneMake] {
        (0..<1 + random.number(below: 2)).map { _ in
            if random.chance(iPhoneShare) {
                return PhoneMake(model: iPhones.pick(&random), osVersion: Figures.newestIOS, apiLevel: nil)
            }
            let newest = Figures.newestAndroid
            return PhoneMake(model: androids.pick(&random), osVersion: newest.release, apiLevel: newest.apiLevel)
        }
    }

    private func make(_ os: OperatingSystem, _ random: inout SeededRandom) -> PhoneMake {
        if os == .iOS {
            let model = random.chance(assumptions.tablets) ? iPads.pick(&random) : iPhones.pick(&random)
            return PhoneMake(model: model, osVersion: iOSVersions.pick(&random), apiLevel: nil)
        }
        let version = androidVersions.pick(&random)
        return PhoneMake(model: androids.pick(&random), osVersion: version.release, apiLevel: version.apiLevel)
    }

    func phone(_ make: PhoneMake, language: Language, timeZone: String, _ random: inout SeededRandom) -> Phone {
        let chrome = chromeVersions.pick(&random)
        let isSame = random.chance(Figures.webViewIsAsOldAsChrome)
        return Phone(
            make: make, language: language, timeZone: timeZone, chromeVersion: chrome,
            webViewVersion: isSame ? chrome : chromeVersions.pick(&random),
            safariTellsPatch: random.chance(Figures.safariTellsPatch),
            isZoomed: make.os == .iOS && random.chance(assumptions.zoom))
    }
}
