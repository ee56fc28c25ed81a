import Linden
import LindenKernel

/// A request of `POST /v1/cpid/latd`: the last attributed touch of a device or identity.
package struct LastTouchRequest: Sendable {
    private let user: UserFields

    package init(_ body: RequestFields) {
        user = UserFields(body)
    }

    package func tokens(_ ids: PublicIDs) -> UserTokens { user.tokens(ids) }

    /// The attribution window in days. The default is the SDK's own, also for a value out of range (iOS SDK: 30 outside 0 to 364).
    package var attributionWindow: Int64 {
        guard let days = user.text("attribution_window").flatMap({ Double($0) }), (0...364).contains(days) else { return 30 }
        return Int64(days)
    }

    /// Returns the response body. `last_attributed_touch_data` is required but may be empty. It holds the labels of the link under their
    /// names in exports (https://help.branch.io, "Retrieve Branch's Last Attributed Touch Data"), and none of the link's data.
    package func response(_ touch: JSONObject) -> JSON {
        let labels = touch.filter { key, _ in key.utf8.first == UInt8(ascii: "~") }.map { key, value in
            (key: "last_attributed_touch_data_tilde_" + String(Substring(key.utf8.dropFirst())), value: value)
        }
        return ["last_attributed_touch_data": .object(JSONObject(labels)), "attribution_window": .integer(attributionWindow)]
    }
}
