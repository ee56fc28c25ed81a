/// What the baselines compare, each by the meaning of the word that suits it best.
extension SimulatedClick {
    /// Both user agents name one system in one version, with one engine.
    func hasAgent(of install: SimulatedInstall) -> Bool {
        browser.os == install.webView.os && browser.osVersion == install.webView.osVersion
            && browser.engineVersion == install.webView.engineVersion
    }

    func hasTimeZone(of install: SimulatedInstall) -> Bool { page?.timeZone == install.timeZone }

    func hasScreen(of install: SimulatedInstall) -> Bool { page?.screen.looksLike(install.screen) ?? false }

    func hasLanguage(of install: SimulatedInstall) -> Bool { browser.language == install.language }

    func hasModel(of install: SimulatedInstall) -> Bool { browser.model == install.model }
}
