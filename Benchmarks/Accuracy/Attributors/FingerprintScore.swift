/// The comparisons of the baselines. Where a rule's wording is ambiguous, the reading that favours the rule is used.
extension SimulatedClick {
    /// Whether both user agents have the same OS, OS version and engine version.
    func hasAgent(of install: SimulatedInstall) -> Bool {
        browser.os == install.webView.os && browser.osVersion == install.webView.osVersion
            && browser.engineVersion == install.webView.engineVersion
    }

    func hasTimeZone(of install: SimulatedInstall) -> Bool { page?.timeZone == install.timeZone }

    func hasScreen(of install: SimulatedInstall) -> Bool { page?.screen.looksLike(install.screen) ?? false }

    func hasLanguage(of install: SimulatedInstall) -> Bool { browser.language == install.language }

    func hasModel(of install: SimulatedInstall) -> Bool { browser.model == install.model }
}
