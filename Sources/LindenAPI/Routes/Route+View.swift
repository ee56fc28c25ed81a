import Linden
import LindenKernel
import RoutePatterns

extension Route {
    /// A route of an app: which URLs open which of its screens.
    ///
    /// - `id`: the route's id.
    /// - `syntax`: the pattern language.
    /// - `key`: the link data key that the pattern matches; null for the app's own URLs.
    /// - `pattern`: the pattern.
    /// - `target`: the screen that matching URLs open.
    /// - `modal`: whether the screen is presented modally.
    /// - `enabled`: whether the route is matched.
    /// - `defaults`: the values of parameters that a URL does not contain.
    package var view: JSONObject {
        [
            "id": .string(id), "syntax": .string(syntax.rawValue), "key": JSON(key?.rawValue), "pattern": .string(pattern),
            "target": .string(target), "modal": .bool(isModal), "enabled": .bool(isEnabled),
            "defaults": .object(JSONObject(defaults)),
        ]
    }
}
