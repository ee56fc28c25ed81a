import LindenKernel
import LinkRouting

/// The query items that may be appended to a link's URL (Branch's deep-link reference, "appending data").
package enum LinkQuery {
    /// Returns whether a key never becomes link data: keys that Branch drops, keys that control a page, and keys that Linden sets itself.
    static func isDropped(_ name: String) -> Bool {
        includes(name, dropped) || includes(name, reserved) || name.isEmpty || name.utf8.first == UInt8(ascii: "+")
    }

    /// Returns whether the URL states that the visitor has the app; nil if it does not (Branch's deep-link reference, `has_app`).
    package static func hasApp(_ query: [QueryItem]) -> Bool? {
        switch query.last(where: { $0.name.ifASCII == "has_app" })?.value.switchWord {
        case "true", "1", "yes": true
        case "false", "0", "no": false
        default: nil
        }
    }

    /// Throws `invalid` if the query carries an access token, because a token in a URL is disclosed to every visitor.
    package static func check(_ query: [QueryItem]) throws {
        guard !query.contains(where: { includes($0.name, reserved) }) else {
            throw Failure.invalid("A link must not carry access tokens in its address.")
        }
    }

    /// Returns whether a key is a click id that an ad network or site appends to each click: another value is not other content.
    static func isClickID(_ name: String) -> Bool { includes(name, clickIDs) }

    private static func includes(_ name: String, _ names: Set<String>) -> Bool { name.ifASCII.map(names.contains) ?? false }

    private static let clickIDs: Set<String> = [
        "fbclid", "gclid", "gbraid", "wbraid", "dclid", "msclkid", "ttclid", "twclid", "li_fat_id", "yclid", "igshid", "ScCid",
        "_branch_match_id",
    ]

    private static let reserved: Set<String> = ["access_token", "AccessToken", "auth_token", "AuthToken"]

    private static let dropped: Set<String> = [
        "data", "password", "auth", "has_app", "debug",
    ]
}
