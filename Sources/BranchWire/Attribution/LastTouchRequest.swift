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
        guard let days = user.text("attribution_window").flatMap({ Int64($0) }), (0...364).contains(days) else { return 30 }
        return days
    }

    /// `last_attributed_touch_data` must be there and may be empty.
    package func response(_ touch: JSONObject) -> JSON {
        ["last_attributed_touch_data": .object(touch), "attribution_window": .integer(attributionWindow)]
    }
}
