/// Attributes to the only click of the same address, platform, OS and browser version within five minutes. If there are several, to the
/// only one with the same screen, time zone and language; otherwise to none.
struct ExactBaseline: Attributor {
    let name = "a: exact"

    private var recent = ClicksByAddress(window: .minutes(5))

    mutating func click(_ click: SimulatedClick) { recent.add(click) }

    mutating func install(_ install: SimulatedInstall) -> Attribution? {
        var candidates = recent.clicks(for: install).filter { $0.hasAgent(of: install) }
        if candidates.count > 1 {
            candidates = candidates.filter { click in
                click.hasScreen(of: install) && click.hasTimeZone(of: install) && click.hasLanguage(of: install)
            }
        }
        guard candidates.count == 1, let click = candidates.first else { return nil }
        recent.remove(click)
        return Attribution(click)
    }
}
