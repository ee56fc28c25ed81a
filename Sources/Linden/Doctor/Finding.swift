/// What one check of the doctor found.
package struct Finding: Sendable, Equatable {
    package enum Status: String, Sendable {
        case ok
        /// It works, but not for everybody or not for long.
        case warning
        /// It does not work.
        case error
    }

    /// What was checked, such as `apple.redirect`.
    package let check: String
    /// The app that it is about; nil if it is about all of them.
    package let app: App.ID?
    package let status: Status
    /// What is so or, if all is not well, what is wrong and what to do.
    package let detail: String

    package init(_ check: String, _ status: Status, _ detail: String, app: App.ID? = nil) {
        self.app = app
        self.check = check
        self.status = status
        self.detail = detail
    }
}
