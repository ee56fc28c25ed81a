import LindenKernel

@testable import AccuracyBenchmark

/// Hand-made records, alike in everything that a test does not set.
enum Sample {
    static let iPhone = phone(PhoneMake(model: .iPhone("iPhone15,4", 393, 852, 3), osVersion: "18.5", apiLevel: nil))
    static let otherIPhone = phone(PhoneMake(model: .iPhone("iPhone17,2", 440, 956, 3), osVersion: "18.5", apiLevel: nil))

    static func phone(_ make: PhoneMake, language: String = "en-US", timeZone: String = "America/New_York") -> Phone {
        Phone(
            make: make, language: Language(language), timeZone: timeZone, chromeVersion: 143, webViewVersion: 143,
            safariTellsPatch: true)
    }

    /// - Parameter minute: after some beginning.
    static func click(
        _ id: Int, minute: Double = 0, app: Int = 0, link: Int? = nil, content: String? = nil, address: String = "192.0.2.1",
        phone: Phone = iPhone, browser: BrowserName = .safari, isRobot: Bool = false
    ) -> SimulatedClick {
        let link = link ?? app * 1_000_000 + 1
        return SimulatedClick(
            id: id, time: Timetable.start + .minutes(minute), app: app, link: link, content: content ?? "\(link)?",
            address: SimulatedAddress(address), browser: phone.report(of: browser, hintsHaveCome: false),
            page: PageReport(
                timeZone: phone.timeZone, screen: phone.make.model.screen.roundedUp, osVersion: nil, model: nil),
            isRobot: isRobot, network: .home)
    }

    static func install(
        minute: Double = 1, app: Int = 0, address: String = "192.0.2.1", phone: Phone = iPhone,
        opening: SimulatedOpening = .nothing, ownClicks: [Int] = [], isKnown: Bool = false, device: UInt64 = 0,
        installedAgo: Duration? = nil
    ) -> SimulatedInstall {
        SimulatedInstall(
            id: 0, isKnown: isKnown, device: device, time: Timetable.start + .minutes(minute), app: app,
            address: SimulatedAddress(address), os: phone.os,
            osVersion: phone.make.osVersion, apiLevel: phone.make.apiLevel, model: phone.make.model.name,
            language: phone.language.code, timeZone: phone.timeZone, screen: phone.make.model.screen, webView: phone.webViewReport,
            installedAgo: installedAgo, begunAgo: nil, opening: opening, network: .home, ownClicks: ownClicks)
    }
}

extension Attributor {
    /// What an install is given to after some clicks.
    func given(_ clicks: [SimulatedClick], _ install: SimulatedInstall) -> Int? {
        var attributor = self
        for click in clicks { attributor.click(click) }
        return attributor.install(install)?.click
    }

    /// What one install after another is given to.
    func given(_ clicks: [SimulatedClick], _ installs: [SimulatedInstall]) -> [Int?] {
        var attributor = self
        for click in clicks { attributor.click(click) }
        return installs.map { attributor.install($0)?.click }
    }
}
