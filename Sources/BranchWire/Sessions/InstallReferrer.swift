import LinkRouting

/// The referrer that a store hands to the app it installed (`install_referrer_extras`). Linden's links to Google Play put the click id
/// there, as `link_click_id=<id>`.
///
/// Branch's SDK reads the id itself and sends it as `link_identifier`. Other readers of the referrer and servers send the text alone,
/// as it is or still percent-encoded, once or more.
enum InstallReferrer {
    /// The text behind `link_click_id`; nil if it is not there.
    static func clickID(_ body: RequestFields) -> String? {
        guard var text = body.text("install_referrer_extras"), text.utf8.count <= longest else { return nil }
        for _ in 0..<mostEncodings {
            let decoded = PercentCoding.decode(text)
            if decoded == text { break }
            text = decoded
        }
        // Branch's SDK reads a pair that has no equals sign as split by its hyphen.
        return text.firstMatch(of: /(?:^|[&?=\s])link_click_id[=-]([^&#\s]+)/).map { String($0.1) }
    }

    /// In bytes.
    private static let longest = 8192
    private static let mostEncodings = 3
}
