/// Histories in which every opening identifies its cause.
extension History {
    /// Returns the mixed history with identified openings. Half of the installs and later openings that a click led to carry the click's
    /// id, the other half were opened by the link itself; organic ones by a URL that is no link. Without the ids, many would be confused
    /// with each other.
    static func deterministic(people: Int, seed: UInt64, _ assumptions: Assumptions = .standard) -> History {
        let history = HistoryGenerator.history(.mixed, people: people, seed: seed, assumptions: assumptions)
        let links = history.clicks.map(\.link)
        let mix = NetworkMix(
            "deterministic", "openings that carry the id of a click or the URL of a link", places: NetworkMix.mixed.places)
        return History(
            mix: mix,
            events: history.events.map { event in
                guard case .install(let install) = event else { return event }
                return .install(install.naming(install.truth, links))
            })
    }
}

extension SimulatedInstall {
    fileprivate func naming(_ click: Int?, _ links: [Int]) -> SimulatedInstall {
        var named = self
        guard let click else {
            named.opening = .foreignURL
            return named
        }
        if id.isMultiple(of: 2) {
            named.opening = .click(click)
        } else {
            // Opened by the link itself, so not caused by the click in the browser.
            named.opening = .link(links[click])
            named.ownClicks = []
        }
        return named
    }
}
