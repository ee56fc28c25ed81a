import LinkRouting

/// What may be appended to a link's address, and what it means (Branch's deep-link reference, "appending data").
enum LinkQuery {
    /// Keys that never become link data: those Branch drops, those that steer a page, and what Linden itself says.
    static func isDropped(_ name: String) -> Bool {
        name.isEmpty || name.hasPrefix("+") || dropped.contains(name) || reserved.contains(name)
    }

    /// What the address says of whether its visitor has the app; nil if nothing (Branch's deep-link reference, `has_app`).
    static func hasApp(_ query: [QueryItem]) -> Bool? {
        switch query.last(where: { $0.name == "has_app" })?.value.lowercased() {
        case "true", "1", "yes": true
        case "false", "0", "no": false
        default: nil
        }
    }

    /// Refuses keys that make a link invalid: whoever puts a token into an address shows it to everybody.
    static func check(_ query: [QueryItem]) throws {
        guard !query.contains(where: { reserved.contains($0.name) }) else {
            throw Failure.invalid("A link must not carry access tokens in its address.")
        }
    }

    /// Numbers that networks append to each click of one advertisement or post: another is no other content.
    static func isClickID(_ name: String) -> Bool { clickIDs.contains(name) }

    private static let clickIDs: Set<String> = [
        "fbclid", "gclid", "gbraid", "wbraid", "dclid", "msclkid", "ttclid", "twclid", "li_fat_id", "yclid", "igshid", "ScCid",
        "_branch_match_id",
    ]

    private static let reserved: Set<String> = ["access_token", "AccessToken", "auth_token", "AuthToken"]

    private static let dropped: Set<String> = [
        "data", "password", "auth", "has_app", "debug",
    ]
}
