import Linden
import LindenKernel

/// The time for which a click on a link can be matched by its address: the link's own window, limited by the app's longest window
/// (`links.max_match_duration`) and the time for which addresses are kept (`privacy.key_days`).
package struct FingerprintWindow: Sendable, Equatable {
    package let seconds: Int64
    /// The reason why the window is shorter than the link's own; nil if it is not.
    package let warning: String?

    package var isCapped: Bool { warning != nil }

    package init(_ link: Link, in app: AppConfiguration, _ privacy: AddressPrivacy) {
        let asked = link.matchWindow(appended: nil, atMost: .seconds(Link.longestMatchSeconds))
        let allowed = min(asked, app.longestMatch)
        let window = privacy.limited(allowed)
        seconds = window.components.seconds
        if window == asked {
            warning = nil
        } else if privacy.form == .none {
            warning = "No click is matched by its address: addresses are not kept (privacy.addresses is none)."
        } else if window == allowed {
            warning =
                "The link's window of \(asked.components.seconds.inWords) is capped: a click is matched by its address for "
                + "\(seconds.inWords) at most (the app's setting \(AppSetting.longestMatch))."
        } else {
            warning =
                "The link's window of \(asked.components.seconds.inWords) is capped: a click is matched by its address for "
                + "\(privacy.keyDays) \(privacy.keyDays == 1 ? "day" : "days") at most (privacy.key_days)."
        }
    }
}
