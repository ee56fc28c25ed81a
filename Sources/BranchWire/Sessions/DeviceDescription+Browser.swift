import Linden
import LinkRouting

extension DeviceDescription {
    /// Fills in absent values from a browser's user agent and client hints. The Web SDK leaves OS and browser to the headers of its calls.
    mutating func describeBrowser(userAgent: String, clientHints: ClientHints) {
        forgetIDs()
        let userAgent = Visit.shortened(userAgent: userAgent)
        guard !userAgent.isEmpty else { return }
        let visitor = Visitor(userAgent: userAgent, clientHints: clientHints)
        self.userAgent = userAgent
        browser = visitor.browserWord
        os = os ?? visitor.systemName
        osVersion = osVersion ?? visitor.osVersion
        brand = brand ?? visitor.maker?.rawValue
        model = model ?? visitor.model
    }

    /// Removes the ids of the device. A page knows none; anybody could report another's for any number of browsers.
    mutating func forgetIDs() {
        (hardwareID, advertisingID) = (nil, nil)
    }
}
