/// What kind of call a path is.
extension Routes {
    private static let ownSegments: Set<Substring> = [
        "v1", "v2", "v3", "api", "mcp", "healthz", "readyz", "metrics", "sdk", "_r", ".well-known",
    ]

    /// Whether a path is one of an SDK's calls, which may be made as JSONP.
    static func isForSDKs(path: String) -> Bool {
        let segments = firstSegments(of: path)
        return switch segments.first {
        case "_r", "_strong_match": true
        case "v1": segments.count > 1 && !operatorCalls.contains(segments[1])
        case "v2": segments.count > 1 && segments[1] == "event"
        default: false
        }
    }

    /// Returns the first two segments and the rest of a path. Splits bytes, as the search for a route does.
    private static func firstSegments(of path: String) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 2).map { Substring($0) }
    }

    /// Segments of `v1` paths that only the operator of an app calls.
    private static let operatorCalls: Set<Substring> = ["app", "branch_aggregate", "gdpr", "query"]

    /// Whether a page of another origin may send its cookies with a call and read the response: only for the calls that identify a browser.
    /// The Web SDK sends no cookies with any other.
    static func allowsCredentials(path: String) -> Bool {
        let segments = firstSegments(of: path)
        return switch segments.first {
        case "_r", "_strong_match": segments.count == 1
        case "v1": segments.count > 2 && segments[1] == "has-app"
        default: false
        }
    }

    /// Whether a path belongs to the API rather than to links. API errors are JSON.
    static func isAPI(path: String) -> Bool {
        let path = path.utf8.drop { $0 == UInt8(ascii: "/") }
        return ownSegments.contains(Substring(path.prefix { $0 != UInt8(ascii: "/") }))
    }
}
