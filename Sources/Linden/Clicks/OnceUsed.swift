import LinkRouting

extension ControlParameters {
    /// The same, but for the web only.
    var webOnly: ControlParameters {
        var parameters = self
        parameters.set("$web_only", to: "true")
        return parameters
    }
}

/// Where a one-time link leads that has had its session: to the web, and not into the app.
func decideOnceUsed(link: ControlParameters, app: AppSettings, visitor: Visitor) -> Destination {
    let destination = decide(link: link.webOnly, app: app, visitor: visitor)
    switch destination.action {
    case .nowhere, .sendToPhone: return Destination(.nowhere, reason: .used)
    default: return destination
    }
}
