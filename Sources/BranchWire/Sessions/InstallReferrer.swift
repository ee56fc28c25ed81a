import LinkRouting

/// The install referrer that a store passes to the app (`install_referrer_extras`). Linden's links to Google Play put the click id there,
/// as `link_click_id=<id>`.
///
/// Branch's SDK extracts the id itself and sends it as `link_identifier`. Other readers of the referrer, and servers, send only the text,
/// plain or percent-encoded, possibly more than once.
enum InstallReferrer {
    /// Returns the value of `link_click_id`; nil if there is none.
    static func clickID(_ body: RequestFields) -> String? {
        guard var text = body.text("install_referrer_extras"), text.utf8.count <= longest else { return nil }
        for _ in 0..<mostEncodings {
            let decoded = PercentCoding.decode(text)
            if decoded == text { break }
            text = decoded
        }
        // Branch's SDK splits a pair without an equals sign at its hyphen.
        return text.firstMatch(of: /(?:^|[&?=\s])link_click_id[=-]([^&#\s]+)/).map { String($0.1) }
    }

    /// In bytes.
    private static let longest = 8192
    private static let mostEncodings = 3
}
