import LindenKernel
import LindenReporting

extension LinkStatistics {
    /// The totals of a link.
    ///
    /// - `url`: the link's address.
    /// - `clicks`: clicks without robots.
    /// - `robots`: visits of robots.
    /// - `sessions`: sessions attributed to the link, installs included.
    /// - `installs`: installs attributed to the link.
    package func view(url: String) -> JSONObject {
        [
            "url": .string(url),
            "clicks": .integer(clicks),
            "robots": .integer(robots),
            "sessions": .integer(sessions),
            "installs": .integer(installs),
        ]
    }
}
