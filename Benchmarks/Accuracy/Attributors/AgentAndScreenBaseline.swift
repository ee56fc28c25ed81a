/// Attributes to the newest click of the same address within 15 minutes that has the app's user agent and screen.
struct AgentAndScreenBaseline: Attributor {
    let name = "f: agent, screen"

    private var recent = ClicksByAddress(window: .minutes(15))

    mutating func click(_ click: SimulatedClick) { recent.add(click) }

    mutating func install(_ install: SimulatedInstall) -> Attribution? {
        let same = recent.clicks(for: install).last { $0.hasAgent(of: install) && $0.hasScreen(of: install) }
        guard let click = same else { return nil }
        recent.remove(click)
        return Attribution(click)
    }
}
