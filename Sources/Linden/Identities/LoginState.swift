/// Whether a user is logged in on a device, as reported by an SDK that keeps its user itself.
package enum LoginState: Sendable {
    case loggedIn
    case loggedOut
}
