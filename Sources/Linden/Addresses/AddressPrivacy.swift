/// The configured form in which visitors' addresses are stored (`privacy.addresses`, `privacy.key_days`).
package struct AddressPrivacy: Sendable {
    package enum Form: String, Sendable, CaseIterable {
        /// Unchanged; of IPv6 the /64.
        case raw
        /// As hashes under a key that changes each day and is deleted once no match window uses it.
        case keyed
        /// Not stored. Nothing is matched by address.
        case none
    }

    package let form: Form
    /// The number of days after its own for which a key may be kept, and so for which a click may be matched by its address.
    package let keyDays: Int

    /// The upper limit is the longest match window of a link.
    package static let allowedKeyDays = 1...Int(Link.longestMatchSeconds / 86400)

    package static let standardKeyDays = 7

    package init(_ form: Form = .keyed, keyDays: Int = standardKeyDays) {
        self.form = form
        self.keyDays = keyDays
    }

    /// Returns how long a click may be matched by its address, given the window of its link.
    package func limited(_ window: Duration) -> Duration {
        switch form {
        case .raw: window
        case .keyed: min(window, longestWindow)
        case .none: .zero
        }
    }

    var longestWindow: Duration { .seconds(keyDays * 86400) }
}
