/// In what form visitors' addresses are kept (`privacy.addresses`, `privacy.key_days`).
package struct AddressPrivacy: Sendable {
    package enum Form: String, Sendable, CaseIterable {
        /// As they are; of IPv6 the /64.
        case raw
        /// As hashes under a key that is another each day and that is deleted once no window rests on it.
        case keyed
        /// Not at all. Nothing is matched by address.
        case none
    }

    package let form: Form
    /// For how many days after its own a key may be kept, and so for how many days a click may be matched by its address.
    package let keyDays: Int

    /// A key may live as long as the longest window a link can have.
    package static let allowedKeyDays = 1...Int(Link.longestMatchSeconds / 86400)

    package static let standardKeyDays = 7

    package init(_ form: Form = .keyed, keyDays: Int = standardKeyDays) {
        self.form = form
        self.keyDays = keyDays
    }

    /// For how long a click may be matched by its address, where its link asks for a time.
    package func limited(_ window: Duration) -> Duration {
        switch form {
        case .raw: window
        case .keyed: min(window, longestWindow)
        case .none: .zero
        }
    }

    var longestWindow: Duration { .seconds(keyDays * 86400) }
}
