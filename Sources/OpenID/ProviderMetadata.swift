import LindenKernel

/// A provider's description of itself (OpenID Connect Discovery 1.0, section 3).
struct ProviderMetadata: Sendable {
    let authorizationEndpoint: String
    let tokenEndpoint: String
    let keysURL: String
    let userInfoEndpoint: String?
    /// Whether the client authenticates in the header, which is the default, instead of the form.
    let takesBasicAuthentication: Bool

    /// The address of an issuer's metadata (section 4.1).
    static func url(of issuer: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }

    /// Fails with `unavailable` for metadata of another issuer, and for an address that is neither encrypted nor this machine's.
    init(_ members: JSONObject, of issuer: String) throws {
        guard members["issuer"]?.string == issuer else {
            throw Failure.badProvider("its metadata has another issuer: \(members["issuer"]?.string?.prefix(200) ?? "none")")
        }
        func address(_ name: String) throws -> String {
            guard let url = members[name]?.string else { throw Failure.badProvider("its metadata has no \(name)") }
            do {
                try OpenIDSettings.check(url)
            } catch {
                throw Failure.badProvider("its \(name) \(error.message)")
            }
            return url
        }
        authorizationEndpoint = try address("authorization_endpoint")
        tokenEndpoint = try address("token_endpoint")
        keysURL = try address("jwks_uri")
        userInfoEndpoint = members["userinfo_endpoint"]?.string == nil ? nil : try address("userinfo_endpoint")
        let methods = members["token_endpoint_auth_methods_supported"]?.array?.compactMap(\.string)
        takesBasicAuthentication = methods?.contains("client_secret_basic") ?? true
    }
}

extension Failure {
    static func badProvider(_ reason: String) -> Failure {
        .unavailable("The sign-in provider cannot be used: \(reason).")
    }
}
