import Linden
import LindenKernel
import LindenServices

extension Domain {
    /// The host of an app's links.
    ///
    /// - `domain`: the host.
    /// - `app_id`, `mode`: the app whose links are on the host, and its mode, `live` or `test`.
    package var view: JSONObject {
        ["domain": .string(host), "app_id": .string(String(scope.app.rawValue)), "mode": .string(scope.mode.name)]
    }

    /// A domain with its pages: the members of ``view`` and of ``DomainPages/view``.
    package var detailedView: JSONObject { view.merging(pages.view) }
}

extension DomainSummary {
    /// A domain with its associated apps and pages.
    ///
    /// - `domain`: the host.
    /// - `app_id`, `mode`: the app whose links are on the host, and its mode; null for a host without links.
    /// - `associated_app_ids`: further apps that can open links of the host.
    /// - the members of ``DomainPages/view``.
    package var view: JSONObject {
        let members: JSONObject = [
            "domain": .string(host), "app_id": JSON(scope.map { String($0.app.rawValue) }), "mode": JSON(scope?.mode.name),
            "associated_app_ids": JSON(furtherApps.map { String($0.rawValue) }),
        ]
        return members.merging(pages.view)
    }
}

extension DomainPages {
    /// The URLs to which a domain redirects visitors without a working link, one member per setting; null if not set.
    package var view: JSONObject {
        JSONObject(members.map { (key: $0.name, value: JSON($0.url)) })
    }
}
