/// What may be appended to a link's address, and what it means (Branch's deep-link reference, "appending data").
enum LinkQuery {
    /// Keys that never become link data: those Branch drops, those that steer a page, and what Linden itself says.
    static func isDropped(_ name: String) -> Bool {
        name.isEmpty || name.hasPrefix("+") || dropped.contains(name)
    }

    private static let dropped: Set<String> = [
        "data", "password", "auth", "access_token", "AccessToken", "auth_token", "AuthToken", "has_app", "debug",
    ]
}
