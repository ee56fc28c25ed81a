/// The URL of a target, split where the click's id is inserted, so that it is rendered once for many clicks.
public struct ClickURL: Sendable, Hashable {
    /// The URL up to the click's id; all of it if the target does not get the id.
    public let prefix: String
    /// The URL after the click's id.
    public let suffix: String
    public let hasClickID: Bool
    /// Whether all bytes are visible ASCII, which any header may have.
    public let isVisible: Bool

    public init(_ target: Target) {
        // The id is the end of the query, so it ends where the fragment begins.
        let url = target.url(clickID: "")
        let end = url[...].utf8.firstPosition(of: UInt8(ascii: "#")) ?? url.endIndex
        if case .unchanged = target {
            (prefix, suffix, hasClickID) = (url, "", false)
        } else {
            (prefix, suffix, hasClickID) = (String(url[..<end]), String(url[end...]), true)
        }
        isVisible = url.areBytes(in: 0x21...0x7E)
    }

    /// Returns the URL with a click's id, which consists of digits. Equals ``Target/url(clickID:)``.
    public func text(clickID: String) -> String {
        hasClickID ? prefix + clickID + suffix : prefix
    }
}
