import Linden

/// One request for a link, as the server sees it, and where it truly came from.
struct SimulatedClick: Sendable {
    /// Rises with time.
    var id: Int
    let time: Timestamp
    let app: Int
    let link: Int
    /// Equal for clicks that lead to the same data.
    let content: String
    let address: SimulatedAddress
    let browser: BrowserReport
    let page: PageReport?
    /// Says by its user agent that it is a program, or that it is loading ahead of its user. Programs that do not say so are not marked.
    let isRobot: Bool
    /// `Sec-Purpose: prefetch`, with the browser's own user agent.
    var isPrefetch = false

    // The truth.

    let network: NetworkClass
}

enum NetworkClass: String, Sendable, Hashable, Codable, CaseIterable {
    case home, office, hotspot, cellular, relay, dataCentre
}
