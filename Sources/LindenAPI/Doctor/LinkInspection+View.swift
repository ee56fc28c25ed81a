import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LinkRouting

extension LinkInspection {
    /// Where a link leads visitors.
    ///
    /// - `url`: the link's URL.
    /// - `checks`: the findings about its data, see ``Linden/Finding/view``.
    /// - `visitors`: where it leads each visitor, see ``LinkRouting/Destination/view(of:named:)``.
    package func view(url: String, _ visitors: [(name: String, visitor: Visitor)]) -> JSONObject {
        [
            "url": .string(url), "checks": .array(app.dataFindings(on: link).map { .object($0.view) }),
            "visitors": .array(visitors.map { .object(destination(for: $0.visitor).view(of: $0.visitor, named: $0.name)) }),
        ]
    }
}
