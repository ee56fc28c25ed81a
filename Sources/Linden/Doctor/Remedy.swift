/// A change by which an operator solves the problem of a finding, or a way to see more of it. Front ends add how it is done.
package struct Remedy: Sendable, Equatable {
    package enum Action: Sendable, Equatable {
        /// Sets a setting of an app, or of the side of it whose key is the reference; an empty value removes it.
        case set(_ setting: String, to: String, app: String)
        /// Gives an app's name in the stores and at the vendors: the settings of one of the lists.
        case name(alternatives: [[String]], app: String)
        /// Adds a domain to an app; nil for one of the operator's choice.
        case addDomain(String?)
        case importRates
        case listHeldRewards(app: String)
        case showAttribution
    }

    /// The purpose of the action, such as `To remove it`, to which its description is added.
    package let purpose: String
    package let action: Action

    package init(_ purpose: String, _ action: Action) {
        self.purpose = purpose
        self.action = action
    }
}
