import LinkRouting
import Testing

@Suite struct AgentTableTests {
    private static let people =
        AgentTable.iOS + AgentTable.android + AgentTable.amazon + AgentTable.desktop + AgentTable.otherDevices
        + AgentTable.appsOnIOS
        + AgentTable.appsOnAndroid
    private static let robots = AgentTable.robots.flatMap { group in group.agents.map { (reason: group.reason, agent: $0) } }

    @Test(arguments: people)
    func aPersonsUserAgentNamesTheDevice(row: AgentRow) {
        #expect(Visitor(userAgent: row.agent) == row.visitor)
    }

    @Test(arguments: robots)
    func aMachineIsKnownAndWhy(reason: RobotReason, agent: String) {
        #expect(Visitor(userAgent: agent).robot == reason)
        #expect(RobotReason(userAgent: agent) == reason)
    }

    @Test(arguments: AgentTable.appsOnIOS + AgentTable.appsOnAndroid)
    func whoReadsInsideAnAppIsNoRobot(row: AgentRow) {
        let visitor = Visitor(userAgent: row.agent)
        #expect(visitor.robot == nil)
        #expect(visitor.inAppBrowser != nil)
    }

    @Test(arguments: AgentTable.previewers)
    func whoDrawsAPreviewIsNoPersonInsideAnApp(agent: String) {
        #expect(Visitor(userAgent: agent).robot == .preview)
    }

    @Test func theTableIsLongEnoughToBeTrusted() {
        let agents = Set(Self.people.map(\.agent) + Self.robots.map(\.agent))
        #expect(agents.count == Self.people.count + Self.robots.count)
        #expect(agents.count >= 250)
        #expect(Set(Self.people.compactMap(\.visitor.inAppBrowser)).count >= 25)
    }

    /// What is stored stays readable: these words are in other people's databases.
    @Test func everyKindHasAWordOfItsOwn() {
        for words in [
            DeviceFamily.allCases.map(\.rawValue), DeviceMaker.allCases.map(\.rawValue), InAppBrowser.allCases.map(\.rawValue),
            WebBrowser.Family.allCases.map(\.rawValue), RobotReason.allCases.map(\.rawValue), Platform.allCases.map(\.rawValue),
        ] {
            #expect(Set(words).count == words.count)
            #expect(words.allSatisfy { word in word.allSatisfy { $0.isLowercase || $0 == "_" } })
        }
    }

    /// Unknown monitors, fetchers and scripts: they name neither a rendering engine nor a platform.
    @Test(arguments: [
        "Zabbix", "Prometheus/2.45", "libcurl-agent/1.0", "Amazon CloudFront", "Rocket.Chat", "mattermost-9.5", "foo",
        "Mozilla/5.0 (compatible; NetcraftSurveyAgent/1.0; +info@netcraft.com)", "MyShop-Checker/1 (https)",
    ])
    func whatNamesNoBrowserIsNoPerson(agent: String) {
        #expect(Visitor(userAgent: agent).robot != nil)
    }

    @Test func aHuaweiWithACodeOfHonorsIsKnownByItsServices() {
        let agent =
            "Mozilla/5.0 (Linux; Android 10; ELS-NX9; HMSCore 6.15.4.322) AppleWebKit/537.36 (KHTML, like Gecko) "
            + "Chrome/114.0.5735.196 HuaweiBrowser/15.0.6.301 Mobile Safari/537.36"
        #expect(Visitor(userAgent: agent).maker == .huawei)
        #expect(
            Visitor(userAgent: agent.replacing("; HMSCore 6.15.4.322", with: "").replacing("HuaweiBrowser/15.0.6.301 ", with: ""))
                .maker == .honor)
    }
}
