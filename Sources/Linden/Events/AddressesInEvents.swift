import LindenKernel

extension JSONObject {
    /// The body of an event without the fields in which SDKs and servers send their user's IP address (Branch, Events API, `user_data`). An
    /// app's own fields are not examined.
    var withoutAddresses: JSONObject {
        var members = without(Self.addressKeys)
        for key in Self.userKeys {
            guard let user = members[key]?.object else { continue }
            let kept = user.without(Self.addressKeys)
            if kept.count < user.count { members[key] = .object(kept) }
        }
        return members
    }

    private static let userKeys = ["user_data", "metadata"]
    private static let addressKeys: JSONObject.Names = ["ip", "ip_address", "local_ip"]
}
