import LinkRouting

extension DeviceDescription {
    /// Fills in what a browser's user agent says of the device, where the description says nothing. The Web SDK leaves system and browser to
    /// the headers of its calls.
    package mutating func describeBrowser(userAgent: String, clientHints: ClientHints) {
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
}
