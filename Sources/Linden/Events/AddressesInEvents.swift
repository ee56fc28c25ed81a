extension JSONObject {
    /// A report without the fields in which SDKs and servers say where its user is (Branch, Events API, `user_data`). What an app says in
    /// fields of its own is its own business.
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
