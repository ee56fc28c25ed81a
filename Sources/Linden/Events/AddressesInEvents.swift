extension JSONObject {
    /// The body of an event without the fields in which SDKs and servers send their user's IP address (Branch, Events API, `user_data`). An
    /// app's own fields are not examined.
    var withoutAddresses: JSONObject {
        var members = filter { key, _ in !Self.addressKeys.contains(key) }
        for (key, value) in members where Self.userKeys.contains(key) {
            guard let user = value.object else { continue }
            members[key] = .object(user.filter { key, _ in !Self.addressKeys.contains(key) })
        }
        return members
    }

    private static let userKeys: Set<String> = ["user_data", "metadata"]
    private static let addressKeys: Set<String> = ["ip", "ip_address", "local_ip"]
}
