import Linden
import LindenKernel
import LindenReporting
import LinkRouting

extension SQLTransaction {
    package func insert(_ click: Click) throws {
        let (visitor, source) = (click.visitor, StringSource(click))
        let isPending = click.matchSeconds != nil
        if isPending { try checkRoomForPendingClick() }
        let model = try stringID(.model, visitor.model, from: source)
        let userAgent = try stringID(.userAgent, click.userAgent, from: source)
        let referrer = try stringID(.referrer, click.referrer, from: source)
        let referrerHost = try stringID(.referrerHost, click.referrerHost, from: source)
        try connection.execute(Self.insertClick) { row in
            row.bind(click.id.rawValue)
            row.bind(click.link.rawValue)
            row.bind(click.scope.app.rawValue)
            row.bind(click.scope.mode.rawValue)
            row.bind(visitor.platform.rawValue)
            row.bind(visitor.systemName)
            row.bind(visitor.osVersion)
            row.bind(visitor.device?.rawValue)
            row.bind(visitor.maker?.rawValue)
            row.bind(model)
            row.bind(visitor.browser?.family.rawValue)
            row.bind(visitor.browser?.version)
            row.bind(visitor.inAppBrowser?.rawValue)
            row.bind(visitor.country)
            row.bind(visitor.robot?.rawValue)
            row.bind(click.address)
            row.bind(userAgent)
            row.bind(referrer)
            row.bind(referrerHost)
            row.bind(click.longLink?.labels.map { ActivityLabels($0).stored })
            row.bind(click.query)
            row.bind(click.action?.rawValue)
            row.bind(click.reason?.rawValue)
            row.bind(click.browser?.rawValue)
            row.bind(click.via?.rawValue)
            row.bind(click.addressClass.stored)
            row.bind(click.isReportable ? nil : Int64(1))
            row.bind(click.site)
            row.bind(click.language)
            row.bind(click.matchSeconds)
            row.bind(click.appendedHash)
            row.bind(click.longLink?.windows?.stored)
        }
        if isPending { try insertPending(click) }
    }

    private static let insertClick = StaticSQL(
        insertInto: "clicks",
        """
        id, link_id, app_id, mode, platform, os, os_version, device, maker, model_id, browser, browser_version, in_app_browser, country,
        robot, address, user_agent_id, referrer_id, referrer_host_id, link_labels, query, action, reason, browser_id, via_click,
        address_class, is_uncounted, site, language, match_seconds, appended_hash, link_windows
        """)
}

extension AddressClass {
    /// The stored word; NULL for the default class, ``plain``.
    fileprivate var stored: String? { self == .plain ? nil : rawValue }
}
