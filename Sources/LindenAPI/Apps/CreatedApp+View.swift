import Linden
import LindenKernel
import LindenServices

extension CreatedApp {
    /// A new app with its keys and secrets, which are shown this once.
    ///
    /// - `app_id`: the app's id, a string.
    /// - `branch_key`, `branch_secret`, `test_branch_key`, `test_branch_secret`: the credentials of its live and test mode.
    /// - `short_url_domain`: the host of its live links.
    ///
    /// - Parameter standardHost: the host of links without a domain: that of the base URL.
    package func view(standardHost: String) -> JSONObject {
        [
            "app_id": .string(String(app.id.rawValue)),
            "branch_key": .string(live.key.branchKey),
            "branch_secret": .string(live.secret),
            "test_branch_key": .string(test.key.branchKey),
            "test_branch_secret": .string(test.secret),
            "short_url_domain": .string(domain ?? standardHost),
        ]
    }
}
