import LinkRouting
import Testing

/// One line of the table: a user agent, and what is to be read from it.
struct AgentRow: Sendable, CustomTestStringConvertible {
    let name: String
    let agent: String
    let visitor: Visitor

    var testDescription: String { name }

    /// A person. The browser is written as its family and version, `safari 17.5`.
    init(
        _ name: String, _ agent: String, _ platform: Platform, _ version: String? = nil, _ device: DeviceFamily? = nil,
        _ maker: DeviceMaker? = nil, _ model: String? = nil, browser: String? = nil, app: InAppBrowser? = nil
    ) {
        self.name = name
        self.agent = agent
        let os: String? =
            switch platform {
            case .iOS: "iOS"
            case .android: "Android"
            case .desktop: nil
            }
        visitor = Visitor(
            platform: platform, os: os, osVersion: version, device: device, maker: maker, model: model,
            browser: browser.map(WebBrowser.init(said:)), inAppBrowser: app)
    }
}

extension WebBrowser {
    init(said: String) {
        let parts = said.split(separator: " ")
        self.init(Family(rawValue: String(parts[0]))!, version: parts.count > 1 ? String(parts[1]) : nil)
    }
}
