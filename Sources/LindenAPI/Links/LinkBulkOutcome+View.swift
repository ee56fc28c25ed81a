import Linden
import LindenKernel
import LindenServices

extension LinkBulkOutcome {
    /// What became of one link of a bulk change.
    ///
    /// - `id`: as it was given.
    /// - `url`: the link; absent if it was refused.
    /// - `changed` or `deleted`: true.
    /// - `error`: why it was neither, in place of these.
    package func view(url: (Link) -> String) -> JSONObject {
        if let failure { return ["id": .string(id), "error": .string(failure.message)] }
        var members: JSONObject = ["id": .string(id)]
        if let link { members["url"] = .string(url(link)) }
        members[isDeletion ? "deleted" : "changed"] = true
        return members
    }
}
