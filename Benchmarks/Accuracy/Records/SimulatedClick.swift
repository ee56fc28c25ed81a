import Linden

/// One request for a link, as the server sees it, and where it truly came from. A class, as many are kept and compared by many.
final class SimulatedClick: Sendable {
    /// Counts up with time.
    let id: Int
    let time: Timestamp
    let app: Int
    let link: Int
    /// Equal for clicks that lead to the same data.
    let content: String
    let address: SimulatedAddress
    let browser: BrowserReport
    let page: PageReport?
    /// Says by its user agent that it is a program, or that it is loading ahead of its user. Programs that do not say so are not
    /// marked.
    let isRobot: Bool
    /// `Sec-Purpose: prefetch`, with the browser's own user agent.
    let isPrefetch: Bool

    // The truth.

    let network: NetworkClass

    init(
        id: Int = 0, time: Timestamp, app: Int, link: Int, content: String, address: SimulatedAddress, browser: BrowserReport,
        page: PageReport? = nil, isRobot: Bool = false, isPrefetch: Bool = false, network: NetworkClass
    ) {
        self.id = id
        self.time = time
        self.app = app
        self.link = link
        self.content = content
        self.address = address
        self.browser = browser
        self.page = page
        self.isRobot = isRobot
        self.isPrefetch = isPrefetch
        self.network = network
    }

    func numbered(_ id: Int) -> SimulatedClick {
        SimulatedClick(
            id: id, time: time, app: app, link: link, content: content, address: address, browser: browser, page: page,
            isRobot: isRobot, isPrefetch: isPrefetch, network: network)
    }
}

enum NetworkClass: String, Sendable, Hashable, CaseIterable {
    case home, office, hotspot, cellular, relay, vpn, dataCentre
}
