/// The result of one check of the doctor.
package struct Finding: Sendable, Equatable {
    package enum Status: String, Sendable {
        case ok
        /// It works, but not for all users or not for long.
        case warning
        /// It does not work.
        case error
    }

    /// The name of the check, such as `apple.redirect`.
    package let check: String
    /// The app that the finding is about; nil for the whole installation.
    package let app: App.ID?
    package let status: Status
    /// A description of the state or, if the status is not `ok`, of the problem and its solution.
    package let detail: String
    /// What the operator can do; nil if the description says it.
    package let remedy: Remedy?

    package init(_ check: String, _ status: Status, _ detail: String, remedy: Remedy? = nil, app: App.ID? = nil) {
        self.remedy = remedy
        self.app = app
        self.check = check
        self.status = status
        self.detail = detail
    }
}
