import NIOHTTP1

/// What becomes of a connection after a response (RFC 9112, section 9.3).
enum ConnectionPersistence {
    /// The connection persists, as HTTP/1.1 implies.
    case persists
    /// The connection persists, which a client of HTTP/1.0 knows from the response only.
    case persistsExplicitly
    case closes

    init(after head: HTTPRequestHead) {
        if !head.isKeepAlive { self = .closes } else { self = head.version == .http1_0 ? .persistsExplicitly : .persists }
    }

    /// The value of the header `Connection` in the response; nil for none.
    var header: String? {
        switch self {
        case .persists: nil
        case .persistsExplicitly: "keep-alive"
        case .closes: "close"
        }
    }
}
