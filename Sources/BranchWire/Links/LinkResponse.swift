import Linden
import LindenKernel

/// The response to `GET /v1/url` and `PUT /v1/url`. Each label appears twice: under its plain name, and with a tilde in `data`. `~id` is a
/// string because JavaScript would round its 18 digits. `route` is the link's destination within its app, on each platform for which the
/// app has routes.
package struct LinkResponse: Sendable {
    private let link: Link
    private let url: String
    private let app: AppContext?
    private let warnings: [String]

    /// - Parameters:
    ///   - app: the link's app; nil if it was deleted.
    ///   - warnings: problems of a link that was just updated.
    package init(_ link: Link, url: String, app: AppContext?, warnings: [String] = []) {
        self.link = link
        self.url = url
        self.app = app
        self.warnings = warnings
    }

    /// Read-only keys of `data`, added by Linden. A client that reads, changes and writes back a link sends them too.
    static let addedKeys: JSONObject.Names = ["~id", "~creation_source", "+url", "$one_time_use_used"]

    package var json: JSON {
        var members = link.labels.members
        members["data"] = .object(data)
        members["type"] = .integer(link.kind.rawValue)
        if let duration = link.duration { members["duration"] = .integer(duration) }
        for (name, limit) in link.limits.members { members[name] = limit }
        members["alias"] = link.hasAlias ? .string(link.address.path) : .null
        if let routes = app?.routedPaths(in: link.data).members { members["route"] = .object(routes) }
        if !warnings.isEmpty { members["warnings"] = JSON(warnings) }
        return .object(members)
    }

    private var data: JSONObject {
        var data = link.data
        for (name, value) in link.labels.members { data["~" + name] = value }
        if data["$one_time_use"] == nil { data["$one_time_use"] = .bool(link.isOneTimeUse) }
        if link.isOneTimeUse { data["$one_time_use_used"] = .bool(link.isUsedUp) }
        data["~id"] = .string(String(link.id.rawValue))
        data["~creation_source"] = .integer(link.source.rawValue)
        data["+url"] = .string(url)
        if data["url"] == nil { data["url"] = .string(url) }
        return data
    }
}
