import Linden
import LindenKernel
import LindenReporting
import LinkRouting

extension Destination {
    /// The destination of an example visitor of a link.
    ///
    /// - `as`: the name of the visitor.
    /// - `platform`: the visitor's platform, such as `ios`.
    /// - `action`: the kind of response, as in the click log.
    /// - `app`: the URL that opens the app; null if the visitor is not sent there.
    /// - `url`: the URL that the visitor is redirected to; null if there is none.
    /// - `reason`: the rule that decided.
    /// - `explanation`: the reason in words.
    package func view(of visitor: Visitor, named name: String) -> JSONObject {
        [
            "as": .string(name), "platform": .string(visitor.platform.rawValue),
            "action": .string(Click.Action(action).rawValue),
            "app": JSON(action.appLink.map { $0.scheme + "://" + $0.path }),
            "url": JSON(action.target?.address), "reason": .string(reason.rawValue),
            "explanation": .string(reason.explanation),
        ]
    }
}
