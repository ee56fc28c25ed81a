import Linden
import LindenKernel

/// A check of Apple's cache, from which iPhones get a host's file since iOS 14. The cache fetches the file within a day, and iPhones check
/// for updates about once a week (Apple, "Supporting associated domains").
package enum AppleCacheCheck {
    package static func url(of host: String) -> String { "https://app-site-association.cdn-apple.com/a/v1/\(host)" }

    /// - Parameters:
    ///   - cached: the cache's response.
    ///   - reason: the cache's own reason for not having the file (`Apple-Failure-Reason`).
    package static func finding(cached: HostedFile, reason: String?, files: AssociationFiles) -> Finding {
        guard cached.status == 200 else {
            let reason = reason.map { " It says: \($0)." } ?? ""
            return Finding(
                "apple.cdn", .error,
                "Apple's cache has no file of this host and answers with status \(cached.status).\(reason) It asks again within a "
                    + "day; until then only phones in developer mode (?mode=developer) see the file.")
        }
        let served = AssociationFiles.Shape.allCases.map(files.apple)
        guard let found = try? JSON.parse(cached.bytes, within: .untrusted), served.contains(found) else {
            return Finding(
                "apple.cdn", .warning,
                "Apple's cache holds another file than Linden serves, perhaps an earlier one. It asks again within a day, and "
                    + "phones that have the app within about a week.")
        }
        return Finding("apple.cdn", .ok, "Apple's CDN has the file that Linden serves.")
    }
}
