import Linden
import LinkRouting

extension Click {
    static func sample(
        of link: Link, userAgent: String, from address: String = "203.0.113.7", site: Int64? = nil, _ id: Click.ID
    ) -> Click {
        Click(
            id: id, link: link.id, scope: link.scope, visitor: Visitor(platform: .desktop), address: address, site: site,
            userAgent: userAgent, referrer: nil, query: nil, reason: .desktop)
    }
}
