import Linden
import LindenKernel
import LindenServices
import LinkRouting

/// The operator's settings of sign-in by an OpenID provider.
package struct OpenIDSettings: Sendable {
    /// The claim whose value is the user's name in the dashboard.
    package enum UserClaim: String, Sendable, CaseIterable {
        /// Only if the provider says that it is verified.
        case email
        /// For providers at which users cannot choose it.
        case preferredUsername = "preferred_username"
    }

    package var issuer: String
    package var clientID: String
    /// Nil for a public client.
    package var clientSecret: String?
    /// The provider's name on the sign-in page; nil for its host.
    package var name: String?
    package var userClaim = UserClaim.email
    package var allowed = AllowedNames()
    /// The role of users who are created at their first sign-in; nil if only existing users may sign in.
    package var newUserRole: DashboardUser.Role?

    package init(issuer: String, clientID: String, clientSecret: String? = nil) {
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
    }

    /// Checks an address of the provider. Throws `unusable` with what is allowed.
    package static func check(_ url: String) throws(Failure) {
        let parts = URLParts(url)
        let isOwn = parts.scheme == "http" && DashboardSettings.isLoopback(parts.host)
        guard !parts.host.isEmpty, parts.scheme == "https" || isOwn else {
            throw Failure.unusable("must be a URL that begins with https://, or with http:// on this machine itself")
        }
    }
}

/// The names that may sign in by the provider: single ones, and all e-mail addresses of some domains.
package struct AllowedNames: Sendable, Equatable {
    private var domains: Set<String> = []
    private var users: Set<String> = []
    /// Whether every account of the provider may sign in.
    private var admitsAll = false

    package init() {}

    /// Reads the values of the settings. Throws `unusable` with what is allowed for a domain that is none.
    ///
    /// - Parameters:
    ///   - domains: host names; `*` for every account of the provider.
    ///   - users: names, regardless of case.
    package init(domains: [String], users: [String]) throws {
        admitsAll = domains.contains("*")
        self.domains = Set(
            try domains.filter { $0 != "*" }.map { text in
                guard !text.contains("@"), let host = try? Domain.normalizedHost(text) else {
                    throw Failure.unusable("must be domains of e-mail addresses such as example.com, or * for all accounts")
                }
                return host
            })
        self.users = Set(users.map { $0.lowercased() })
    }

    /// Whether nothing is set: then any user of the dashboard may sign in by the provider.
    package var isEmpty: Bool { domains.isEmpty && users.isEmpty && !admitsAll }

    /// Returns whether the account with this name may sign in. Of an e-mail address, the part behind its last `@` is the domain, and a
    /// subdomain is another one.
    ///
    /// - Parameter name: nil for an account whose name is not known; only empty lists admit it. A list of names or domains admits no name
    ///   beyond ASCII, since some letters become those of ASCII in lower case.
    package func admits(_ name: String?) -> Bool {
        if isEmpty { return true }
        if admitsAll { return name != nil }
        guard let name = name?.ifASCII?.lowercased() else { return false }
        let domain = name.lastIndex(of: "@").map { String(name[name.index(after: $0)...]) }
        return users.contains(name) || domain.map(domains.contains) == true
    }
}
