/// The policy for visits whose click cannot be recorded (`clicks.on_failure`).
package enum ClickFailurePolicy: String, Sendable, CaseIterable {
    /// Respond with a retryable error: no visit goes uncounted.
    case refuse
    /// Redirect the visitor without recording: no visitor is lost, but the click is.
    case redirect
}
