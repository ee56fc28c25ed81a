import LinkRouting

/// A requested path on a link host, parsed.
package struct LinkPath {
    enum Target: Equatable {
        /// A slug or alias.
        case short
        /// `/a/<branch key>`, whose query is the link; without a key on an app's own domain.
        case long(branchKey: String?)
        /// `/c/<click id>` or `/c/<slug>`: the form that the Web SDK gives a referring link.
        case click(String)
    }

    let target: Target
    /// The path as requested, without `/e`.
    let path: String
    /// `/e/…`: the web-only variant of a link, never opened in an app (Branch's deep-link reference; the iOS SDK's link validator).
    package let isWebOnly: Bool

    /// Returns the click id or slug that `/c/…` names; nil for any other path, which most are.
    package static func clickText(_ path: String) -> String? {
        guard path.hasPrefix("/c/") || path.hasPrefix("/e/"), case .click(let text) = LinkPath(path, hasQuery: false).target else {
            return nil
        }
        return text
    }

    package init(_ path: String, hasQuery: Bool) {
        let slash = UInt8(ascii: "/")
        let trimmed = path.utf8.drop { $0 == slash }
        let first = trimmed.prefix { $0 != slash }
        isWebOnly = first.elementsEqual("e".utf8)
        // Most paths have one segment, which needs no splitting.
        if !isWebOnly, !first.isEmpty, first.endIndex == trimmed.endIndex {
            self.path = path
            target = .short
            return
        }
        let rest = isWebOnly ? trimmed[first.endIndex...] : trimmed
        self.path = isWebOnly ? Self.withoutEmptySegments(rest) : path
        // The third segment shows that there are more than two; the rest is not split.
        let segments = rest.split(separator: slash, maxSplits: 2).filter { !$0.allSatisfy { $0 == slash } }.map { Substring($0) }
        target =
            switch (segments.first, segments.count) {
            case (nil, _) where hasQuery: .long(branchKey: nil)
            case ("a", 2): .long(branchKey: segments.last.map(String.init))
            case ("c", 2): .click(segments.last.map { PercentCoding.decode($0) } ?? "")
            default: .short
            }
    }

    /// Returns the path without empty segments: `/a/b` for `//a//b/`.
    private static func withoutEmptySegments(_ path: Substring.UTF8View) -> String {
        let slash = UInt8(ascii: "/")
        var bytes = [slash]
        for byte in path where byte != slash || bytes.last != slash { bytes.append(byte) }
        if bytes.count > 1, bytes.last == slash { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
