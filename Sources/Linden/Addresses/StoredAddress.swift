/// The stored forms of one client address.
package struct StoredAddress: Sendable, Equatable {
    /// The form in which it is stored now; empty if it is unknown or not stored, which matches nothing.
    package let current: String
    /// All forms in which it may be found, the current one first.
    package let all: [String]
    /// Whether addresses are stored at all.
    package let isAllowed: Bool

    package init(_ all: [String], isAllowed: Bool = true) {
        current = all.first ?? ""
        self.all = all
        self.isAllowed = isAllowed
    }
}
