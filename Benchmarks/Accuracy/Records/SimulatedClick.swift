import LindenKernel

/// A request for a link, as the server sees it, and its ground truth. A class, because many instances are shared by many attributors.
final class SimulatedClick: Sendable {
    /// Increases with time.
    let id: Int
    let time: Timestamp
    let app: Int
    let link: Int
    /// Identifies the data: equal for clicks that lead to the same data.
    let content: String
    let address: SimulatedAddress
    let browser: BrowserReport
    let page: PageReport?
    /// Whether the user agent identifies a program, or the request a prefetch. Programs with a browser's user agent are not marked.
    let isRobot: Bool
    /// Whether the request has `Sec-Purpose: prefetch`, with the browser's own user agent.
    let isPrefetch: Bool

    // Ground truth, which attributors must not read.

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
