/// For how long a click on a link may be matched by its address: as long as the link asks for, unless addresses are not kept that long.
package struct MatchWindow: Sendable, Equatable {
    package let seconds: Int64
    /// What to tell whoever looks at the link; nil where it has the window that it asks for.
    package let warning: String?

    package var isCapped: Bool { warning != nil }

    package init(_ link: Link, _ privacy: AddressPrivacy) {
        let asked = link.matchWindow(appended: nil)
        let window = privacy.limited(asked)
        seconds = window.components.seconds
        if window == asked {
            warning = nil
        } else if privacy.form == .none {
            warning = "No click is matched by its address: addresses are not kept (privacy.addresses is none)."
        } else {
            warning =
                "The link's window of \(asked.components.seconds.inWords) is capped: a click is matched by its address for \(privacy.keyDays) "
                + "\(privacy.keyDays == 1 ? "day" : "days") at most (privacy.key_days)."
        }
    }
}
