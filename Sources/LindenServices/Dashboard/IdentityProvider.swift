import Linden
import LindenKernel

/// An OpenID provider, by which users of the dashboard sign in (OpenID Connect Core 1.0, authorization code flow).
package protocol IdentityProvider: Sendable {
    /// The provider's name, for the sign-in page.
    var name: String { get }
    /// The role of new users, who are created at their first sign-in; nil if only existing users may sign in.
    var newUserRole: DashboardUser.Role? { get }

    /// Returns whether the account with this name may sign in, as far as the provider's settings say.
    ///
    /// - Parameter name: nil if the provider vouches for none.
    func admits(_ name: String?) -> Bool

    /// Returns the address at which the browser signs in. Fails with `unavailable` if the provider does not answer as it should.
    ///
    /// - Parameter returnURL: the address to which the provider sends the browser back.
    func signInURL(_ attempt: ProviderAttempt, returnURL: String) async throws -> String

    /// Redeems the code with which the browser came back. Fails with `unauthorized` if the provider refuses it, or its answer is not for this
    /// attempt; with `unavailable` if it does not answer.
    func user(code: String, of attempt: ProviderAttempt, returnURL: String) async throws -> ProvidedUser
}

/// A user as an OpenID provider describes it.
package struct ProvidedUser: Sendable, Equatable {
    /// The provider's issuer and the user's subject there, which never become another user's (OpenID Connect Core 1.0, section 5.7).
    package let subject: String
    /// The user's name in the dashboard, such as a verified e-mail address; nil if the provider vouches for none.
    package let name: String?

    package init(subject: String, name: String?) {
        self.subject = subject
        self.name = name
    }
}
