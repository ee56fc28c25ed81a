import LinkRouting
import Testing

@testable import AccuracyBenchmark

@Suite struct UserAgentsTests {
    private func phone(_ model: PhoneModel, _ version: String, _ apiLevel: Int? = nil, tellsPatch: Bool = true) -> Phone {
        Phone(
            make: PhoneMake(model: model, osVersion: version, apiLevel: apiLevel), language: Language("en-US"),
            timeZone: "America/New_York",
            chromeVersion: 143, webViewVersion: 142, safariTellsPatch: tellsPatch)
    }

    private let iPhone = PhoneModel.iPhone("iPhone15,4", 393, 852, 3)
    private let pixel = PhoneModel.android("Pixel 8", 1080, 2400, 2.625)

    private func visitor(_ report: BrowserReport) -> Visitor {
        Visitor(userAgent: report.userAgent, clientHints: report.clientHints)
    }

    @Test func safariOf26SaysAnOldSystemAndLindenReadsTheTrueOne() {
        let report = phone(iPhone, "26.1").report(of: .safari, hintsHaveCome: false)
        #expect(report.userAgent.contains("iPhone OS 18_7 like Mac OS X"))
        #expect(report.osVersion == "18.7")
        #expect(visitor(report).osVersion == "26.1")
        #expect(visitor(report).model == nil)
        #expect(phone(iPhone, "26").webViewReport.osVersion == "18.6")
        #expect(visitor(phone(iPhone, "26").report(of: .safari, hintsHaveCome: false)).osVersion == "26")
        #expect(visitor(phone(iPhone, "26.0.1", tellsPatch: false).report(of: .safari, hintsHaveCome: false)).osVersion == "26")
    }

    @Test(arguments: Figures.iOSVersions.map(\.0)) func otherwiseSafariAndAppsTellTheSystemAsItIs(_ version: String) {
        for browser in [BrowserName.safari, .facebook, .instagram] {
            #expect(visitor(phone(iPhone, version).report(of: browser, hintsHaveCome: false)).osVersion == version)
        }
    }

    @Test func chromeOnAnIPhoneTellsTheSystemWithoutItsPatch() {
        #expect(phone(iPhone, "26.0.1").report(of: .chrome, hintsHaveCome: false).osVersion == "26.0")
        #expect(visitor(phone(iPhone, "26.1").report(of: .chrome, hintsHaveCome: false)).osVersion == "26.1")
        #expect(visitor(phone(iPhone, "17.6.1").report(of: .chrome, hintsHaveCome: false)).osVersion == "17.6")
        // It might be a frozen word.
        #expect(visitor(phone(iPhone, "18.7.2").report(of: .chrome, hintsHaveCome: false)).osVersion == nil)
    }

    @Test func chromeOnAndroidTellsModelAndVersionOnceAsked() {
        let phone = phone(pixel, "14", 34)
        let unasked = phone.report(of: .chrome, hintsHaveCome: false)
        #expect(unasked.osVersion == "10" && unasked.model == nil)
        #expect(visitor(unasked).osVersion == nil)
        let asked = phone.report(of: .chrome, hintsHaveCome: true)
        #expect(asked.osVersion == "14" && asked.model == "Pixel 8")
        #expect(visitor(asked).osVersion == "14")
        #expect(visitor(asked).model == "Pixel 8")
    }

    @Test func webViewsAndAppsOnAndroidTellModelAndVersion() {
        for browser in [BrowserName.facebook, .instagram, .webView] {
            let report = phone(pixel, "14", 34).report(of: browser, hintsHaveCome: false)
            #expect(visitor(report).osVersion == "14")
            #expect(visitor(report).model == "Pixel 8")
        }
        #expect(phone(pixel, "16", 36).webViewReport.osVersion == "10")
    }

    @Test func safariOnAnIPadAsksAsAMacAndAppsThereTellTheTruth() {
        let tablet = phone(.iPhone("iPad13,18", 820, 1180, 2), "18.5")
        #expect(visitor(tablet.report(of: .safari, hintsHaveCome: false)).os != "iOS")
        #expect(visitor(tablet.report(of: .facebook, hintsHaveCome: false)).os == "iOS")
    }

    @Test func robotsAreReadAsRobotsAndPeopleAreNot() {
        for agent in RobotAgents.onPhones + RobotAgents.inDataCentres {
            #expect(visitor(RobotAgents.report(agent)).robot != nil)
        }
        for browser in [BrowserName.safari, .chrome, .samsungInternet, .facebook, .instagram, .webView] {
            for phone in [phone(iPhone, "26.1"), phone(pixel, "15", 35)] {
                #expect(visitor(phone.report(of: browser, hintsHaveCome: false)).robot == nil)
            }
        }
    }
}
