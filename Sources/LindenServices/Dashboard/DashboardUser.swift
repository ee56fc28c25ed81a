import Linden
import LindenKernel

/// A person who signs in to the dashboard with a name and a password.
package struct DashboardUser: Sendable, Equatable {
    package typealias ID = Identifier<DashboardUser>

    /// The roles that people can have: all but that of servers.
    package enum Role: String, Sendable, CaseIterable {
        case admin, editor, analyst, support

        package func may(_ permission: Permission) -> Bool { permission.roles.contains { $0.rawValue == rawValue } }
    }

    package enum Status: String, Sendable {
        /// Created or reset, without a password and a sign-in by the OpenID provider since then.
        case invited
        case active
        case disabled
    }

    package let id: ID
    /// Unique regardless of case.
    package let name: String
    package let role: Role
    /// The only app that the user may see; nil for all.
    package let app: App.ID?
    package let hasPassword: Bool
    /// Whether the user has signed in by the OpenID provider.
    package let hasProvider: Bool
    /// Whether a sign-in by the password needs a code, too.
    package let hasSecondFactor: Bool
    /// When the one-time secret for setting a password expires; nil without one.
    package let setUpExpiresAt: Timestamp?
    /// Nil unless the user is disabled.
    package let disabledAt: Timestamp?
    package let createdAt: Timestamp
    package let lastSignInAt: Timestamp?

    package init(
        id: ID, name: String, role: Role, app: App.ID?, hasPassword: Bool = false, hasProvider: Bool = false,
        hasSecondFactor: Bool = false, setUpExpiresAt: Timestamp? = nil,
        disabledAt: Timestamp? = nil, createdAt: Timestamp, lastSignInAt: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.app = app
        self.hasPassword = hasPassword
        self.hasProvider = hasProvider
        self.hasSecondFactor = hasSecondFactor
        self.setUpExpiresAt = setUpExpiresAt
        self.disabledAt = disabledAt
        self.createdAt = createdAt
        self.lastSignInAt = lastSignInAt
    }

    package var status: Status { disabledAt != nil ? .disabled : hasPassword || hasProvider ? .active : .invited }

    /// The maximum length of a name, that of an e-mail address (RFC 5321, section 4.5.3.1.3).
    static let longestName = 254

    /// Checks a name: visible ASCII characters, so that no two names look alike. Throws `invalid` with what is allowed.
    static func check(name: String) throws(Failure) {
        guard (1...longestName).contains(name.utf8.count), name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure.invalid(
                "A user's name must be an e-mail address or another name of 1 to \(longestName) ASCII characters without spaces.",
                at: "name")
        }
    }
}
