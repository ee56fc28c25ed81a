import LindenServices

#if Passwords
    import Passwords
#endif

/// Returns the hasher of the users' passwords; nil in a build without passwords.
func standardPasswordHasher() -> (any PasswordHasher)? {
    #if Passwords
        Argon2Hasher()
    #else
        nil
    #endif
}
