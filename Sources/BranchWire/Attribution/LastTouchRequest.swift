import Linden

/// `POST /v1/cpid/latd`: what last led a device or user here.
package struct LastTouchRequest: Sendable {
    private let user: UserFields

    package init(_ body: RequestFields) {
        user = UserFields(body)
    }

    package func tokens(_ ids: PublicIDs) -> UserTokens { user.tokens(ids) }

    /// In days; what the SDK's own default is, where it says nothing or nothing sensible (iOS SDK: 30 outside 0 to 364).
    package var attributionWindow: Int64 {
        guard let days = user.text("attribution_window").flatMap({ Double($0) }), (0...364).contains(days) else { return 30 }
        return Int64(days)
    }

    /// `last_attributed_touch_data` must be there and may be empty. It holds the labels of the link under the names that exports have for
    /// them (https://help.branch.io, "Retrieve Branch's Last Attributed Touch Data"), and nothing of its data.
    package func response(_ touch: JSONObject) -> JSON {
        let labels = touch.filter { key, _ in key.hasPrefix("~") }.map { key, value in
            (key: "last_attributed_touch_data_tilde_" + key.dropFirst(), value: value)
        }
        return ["last_attributed_touch_data": .object(JSONObject(labels)), "attribution_window": .integer(attributionWindow)]
    }
}
