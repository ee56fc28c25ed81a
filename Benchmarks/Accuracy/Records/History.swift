import LindenKernel

/// The records of one server over a few weeks, in the order of time.
struct History: Sendable {
    enum Event: Sendable {
        case click(SimulatedClick)
        /// The first opening after an install, or a later one.
        case install(SimulatedInstall)

        var time: Timestamp {
            switch self {
            case .click(let click): click.time
            case .install(let install): install.time
            }
        }
    }

    let mix: NetworkMix
    let events: [Event]

    var clicks: [SimulatedClick] {
        events.compactMap { if case .click(let click) = $0 { click } else { nil } }
    }

    var installs: [SimulatedInstall] { recorded.filter { !$0.isKnown } }

    /// Openings by devices that had the app before.
    var openings: [SimulatedInstall] { recorded.filter(\.isKnown) }

    private var recorded: [SimulatedInstall] {
        events.compactMap { if case .install(let install) = $0 { install } else { nil } }
    }
}
