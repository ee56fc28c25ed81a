/// Somebody's address as it is kept, and as it may have been kept before.
package struct KeptAddress: Sendable, Equatable {
    /// As it is written down now; empty where it is unknown or not kept, which matches nothing.
    package let current: String
    /// Every form in which it may be found, the current one first.
    package let all: [String]
    /// Whether addresses are kept at all.
    package let isAllowed: Bool

    package init(_ all: [String], isAllowed: Bool = true) {
        current = all.first ?? ""
        self.all = all
        self.isAllowed = isAllowed
    }
}
