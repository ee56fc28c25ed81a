/// Collects generated records in any order and sorts them by time.
struct Recorder {
    private var clicks: [SimulatedClick] = []
    private var installed: [SimulatedInstall] = []

    private(set) var installs = 0
    private(set) var openings = 0

    var recorded: Int { installed.count }

    /// - Returns: the number by which an install refers to the click until the history is sorted.
    mutating func record(_ click: SimulatedClick) -> Int {
        clicks.append(click)
        return clicks.count - 1
    }

    mutating func record(_ install: SimulatedInstall) {
        installed.append(install)
        if install.isKnown { openings += 1 } else { installs += 1 }
    }

    /// Returns the sorted history with clicks numbered by time. In one millisecond clicks come first, then the order is that of recording.
    func history(_ mix: NetworkMix) -> History {
        let order = clicks.indices.sorted { (clicks[$0].time, $0) < (clicks[$1].time, $1) }
        var ids = [Int](repeating: 0, count: clicks.count)
        for (id, recorded) in order.enumerated() { ids[recorded] = id }

        let installs = installed.indices.sorted { (installed[$0].time, $0) < (installed[$1].time, $1) }
        var events: [History.Event] = []
        events.reserveCapacity(clicks.count + installed.count)
        var remaining = order[...]
        for index in installs {
            var install = installed[index]
            while let next = remaining.first, clicks[next].time <= install.time {
                events.append(.click(clicks[next].numbered(ids[next])))
                remaining.removeFirst()
            }
            install.ownClicks = install.ownClicks.map { ids[$0] }
            if case .click(let recorded) = install.opening { install.opening = .click(ids[recorded]) }
            events.append(.install(install))
        }
        events += remaining.map { .click(clicks[$0].numbered(ids[$0])) }
        return History(mix: mix, events: events)
    }
}
