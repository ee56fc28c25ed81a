import LindenKernel
import RoutePatterns

extension RouteMatch {
    /// The route and its parameters, as reported with a link and by `linden routes test`: the parameters captured by the pattern, and the
    /// merged ones that the app sees, with the route's defaults and the URL's query.
    package var members: JSONObject {
        [
            "id": .string(route.id), "pattern": .string(route.pattern), "target": .string(route.target),
            "modal": .bool(route.isModal), "parameters": .object(JSONObject(parameters)), "merged": .object(JSONObject(merged)),
        ]
    }
}
