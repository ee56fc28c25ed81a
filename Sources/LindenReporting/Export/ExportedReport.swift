import Linden
import LindenKernel
import LinkRouting

/// The report of an event in a uniform shape; where SDKs place its members differs.
struct ExportedReport {
    let user: JSONObject
    let event: JSONObject
    /// Whether a browser reported it.
    let isWeb: Bool

    init(_ kind: ExportRow.Kind, _ body: JSONObject) {
        guard case .event(let kind, _) = kind, !body.isEmpty else {
            (user, event, isWeb) = ([:], [:], false)
            return
        }
        event = body["event_data"]?.object ?? body["commerce_data"]?.object ?? [:]
        let isByWebSDK = Self.isWeb(body["sdk"])
        if var user = body["user_data"]?.object {
            user["user_agent"] = user["user_agent"] ?? body["user_agent"]
            self.user = user
        } else {
            user = isByWebSDK ? Self.page(body) : [:]
        }
        isWeb = isByWebSDK || Self.isWeb(user["sdk"]) || kind == .pageView || kind == .dismissal
    }

    /// Fills in properties of a device from the reported user agent, where neither the report nor the device has them.
    func complete(_ device: inout ExportedDevice, isWeb: Bool, _ visitors: VisitorCache) {
        guard let userAgent = user["user_agent"]?.string, !userAgent.isEmpty else { return }
        let visitor = visitors.visitor(userAgent: Visit.shortened(userAgent: userAgent), clientHints: ClientHints())
        if user["os"] == nil { device.os = visitor.systemName }
        if user["brand"] == nil { device.brand = device.brand ?? visitor.maker?.rawValue }
        if user["model"] == nil { device.model = device.model ?? visitor.model }
        device.osVersion = device.osVersion ?? visitor.osVersion
        if isWeb { device.browser = device.browser ?? visitor.browserWord }
    }

    /// Returns whether an SDK is the Web SDK: `web2.84.0`, or `web` with the version elsewhere.
    private static func isWeb(_ sdk: JSON?) -> Bool { sdk?.string?.hasPrefix("web") == true }

    /// Returns the user data that the Web SDK sends at the top level and in `metadata` of its reports of pages and events,
    /// under the names of `user_data`.
    private static func page(_ body: JSONObject) -> JSONObject {
        let metadata = body["metadata"]?.object ?? [:]
        var user = JSONObject()
        user["sdk"] = body["sdk"]
        user["user_agent"] = metadata["user_agent"] ?? body["user_agent"]
        user["language"] = metadata["language"] ?? body["user_language"]
        user["http_referrer"] = body["initial_referrer"]
        return user
    }
}

extension EventKind {
    /// Returns the name of an event in Branch's exports, where names defined by Branch are in upper case.
    func exportedName(of name: String) -> String {
        if let name = Topic(self).builtInName { return name }
        guard self != .custom else { return name }
        return StandardEvent(rawValue: name)?.rawValue ?? StandardEvent(rawValue: name.uppercased())?.rawValue ?? name
    }
}
