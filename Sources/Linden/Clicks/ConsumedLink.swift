import LinkRouting

extension ControlParameters {
    /// A copy with `$web_only` set.
    package var webOnly: ControlParameters {
        var parameters = self
        parameters.set("$web_only", to: "true")
        return parameters
    }
}

/// Returns the destination of a consumed one-time link: the web, not the app.
package func decideConsumed(link: ControlParameters, app: AppSettings, visitor: Visitor) -> Destination {
    let destination = decide(link: link.webOnly, app: app, visitor: visitor)
    switch destination.action {
    case .nowhere, .sendToPhone: return Destination(.nowhere, reason: .used)
    default: return destination
    }
}
