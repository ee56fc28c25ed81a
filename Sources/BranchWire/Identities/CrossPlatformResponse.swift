import Linden
import LindenKernel

/// The response to `POST /v1/cpid`: the id of an identity across its devices. Only deterministic ids are included, never probabilistic
/// ones.
package enum CrossPlatformResponse {
    package static func json(_ user: CrossPlatformUser?) -> JSON {
        var members: JSONObject = [:]
        if let user { members["cross_platform_id"] = .string(user.id) }
        members["past_cross_platform_ids"] = .array([])
        members["prob_cross_platform_ids"] = .array([])
        if let name = user?.developerIdentity { members["developer_identity"] = .string(name) }
        return ["user_data": .object(members)]
    }
}
