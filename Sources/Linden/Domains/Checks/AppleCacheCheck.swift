/// Since iOS 14, iPhones get a host's file from Apple's cache, which fetches it within a day; they ask again about once a week
/// (Apple, "Supporting associated domains").
package enum AppleCacheCheck {
    package static func url(of host: String) -> String { "https://app-site-association.cdn-apple.com/a/v1/\(host)" }

    /// - Parameters:
    ///   - cached: what the cache answers.
    ///   - reason: why the cache could not fetch the file, in its own words (`Apple-Failure-Reason`).
    package static func finding(cached: HostedFile, reason: String?, files: AssociationFiles) -> Finding {
        guard cached.status == 200 else {
            let reason = reason.map { " It says: \($0)." } ?? ""
            return Finding(
                "apple.cdn", .error,
                "Apple's cache has no file of this host and answers with status \(cached.status).\(reason) It asks again within a "
                    + "day; until then only phones in developer mode (?mode=developer) see the file.")
        }
        let served = AssociationFiles.Shape.allCases.map(files.apple)
        guard let found = try? JSON.parse(cached.bytes), served.contains(found) else {
            return Finding(
                "apple.cdn", .warning,
                "Apple's cache holds another file than Linden serves, perhaps an earlier one. It asks again within a day, and "
                    + "phones that have the app within about a week.")
        }
        return Finding("apple.cdn", .ok, "Apple's cache holds the file that Linden serves.")
    }
}
