import BranchWire
import Linden
import LindenKernel
import LindenServices

extension Link {
    /// A link in a list.
    ///
    /// - `url`: the address that is shared.
    /// - `id`: the link's id, a string because it exceeds the exact integers of JavaScript.
    /// - `channel`, `feature`, `campaign`: labels; null if not set.
    /// - `folder`: the folder of the link; null for none.
    /// - `archived`: whether lists leave the link out unless they are asked for archived links.
    /// - `created_at`: a time in ISO 8601, UTC.
    package func view(url: String) -> JSONObject {
        [
            "url": .string(url),
            "id": .string(String(id.rawValue)),
            "channel": JSON(labels.channel),
            "feature": JSON(labels.feature),
            "campaign": JSON(labels.campaign),
            "folder": JSON(folder),
            "archived": .bool(isArchived),
            "created_at": .string(createdAt.iso8601),
        ]
    }

    /// A link with its data.
    ///
    /// - `url`, `id`, `folder`, `archived`, `created_at`: as in ``view(url:)``.
    /// - `app_id`, `mode`: the app and its mode, `live` or `test`.
    /// - the members of ``LinkResponse``: labels, `data`, `type`, `duration`, limits, `route`, and `warnings` if there are any.
    /// - `fingerprint_window`: the seconds for which a click is matched by its address.
    /// - `fingerprint_window_capped`: true if that is shorter than the link's own window; otherwise absent.
    /// - `deleted_at`: a time in ISO 8601, UTC; absent if the link is not deleted.
    ///
    /// - Parameters:
    ///   - app: the link's app; nil if it was deleted.
    ///   - warnings: problems of a link that was just created or changed.
    package func detailedView(
        url: String, app: AppContext?, privacy: AddressPrivacy, warnings: [String] = []
    ) -> JSONObject {
        var members: JSONObject = [
            "url": .string(url),
            "id": .string(String(id.rawValue)),
            "app_id": .string(String(scope.app.rawValue)),
            "mode": .string(scope.mode.name),
            "folder": JSON(folder),
            "archived": .bool(isArchived),
        ]
        let window = FingerprintWindow(self, in: app?.app.configuration ?? AppConfiguration(), privacy)
        let all = [window.warning].compactMap { $0 } + warnings
        members.merge(LinkResponse(self, url: url, app: app, warnings: all).json.object ?? [:])
        members["fingerprint_window"] = .integer(window.seconds)
        if window.isCapped { members["fingerprint_window_capped"] = true }
        members["created_at"] = .string(createdAt.iso8601)
        if let deletedAt { members["deleted_at"] = .string(deletedAt.iso8601) }
        return members
    }
}
