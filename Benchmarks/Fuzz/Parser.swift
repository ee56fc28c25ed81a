import BranchWire
import Linden
import LindenKernel
import LinkRouting
import RoutePatterns

/// A parser of untrusted input. For any bytes it must terminate, and the invariants of accepted values must hold.
enum Parser: UInt8, CaseIterable {
    case json, body, query, userAgent, longLink, url, pattern, date, address

    /// Parses the input. Traps if an invariant is violated.
    func read(_ bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        switch self {
        case .json: readJSON(bytes)
        case .body: _ = try? RequestFields(bytes: bytes)
        case .query: readQuery(text)
        case .userAgent: readUserAgent(text)
        case .longLink: _ = LongLink(query: text)
        case .url: readURL(text)
        case .pattern: readPatterns(text)
        case .date: _ = try? DateExpression("from", text, now: Timestamp(milliseconds: 1_800_000_000_000), allowsTime: true)
        case .address: readAddress(text)
        }
    }

    /// Invariant: a written value is parsed as an equal value.
    private func readJSON(_ bytes: some Collection<UInt8>) {
        guard let value = try? JSON.parse(bytes) else { return }
        let again = try? JSON.parse(value.text)
        precondition(again == value, "\(value.text) is read as another value")
    }

    /// Invariant: a name and a value appended to a query are parsed from it.
    private func readQuery(_ text: String) {
        let items = URLParts.queryItems(text)
        for item in items.prefix(4) where !item.name.isEmpty {
            let url = URLParts.appending(item, to: "https://go.example.com/pear?a=b")
            let read = URLParts.queryItems(URLParts(url).query ?? "").last
            precondition(read?.name == item.name && read?.value == item.value, "\(item) is read as \(String(describing: read))")
        }
        _ = try? RequestFields(query: text)
    }

    private func readUserAgent(_ text: String) {
        let visitor = Visitor(userAgent: text)
        _ = RobotReason(userAgent: text)
        _ = visitor.browser
        _ = OSVersion.normalized(text)
    }

    private func readURL(_ text: String) {
        let parts = URLParts(text)
        _ = URLParts.hostAndPort(parts.host)
        _ = WAAppURL(text)
        _ = PercentCoding.decode(PercentCoding.encodePath(text))
        precondition(PercentCoding.decode(PercentCoding.encodeQueryValue(text)) == text, "\(text) is escaped as something else")
    }

    /// The first line is the pattern, tried in every pattern language; the rest is the URL.
    private func readPatterns(_ text: String) {
        let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let (pattern, url) = (String(lines[0]), lines.count > 1 ? String(lines[1]) : text)
        _ = (try? WildcardPattern(pattern))?.matches(url)
        _ = (try? RootsFormat(pattern))?.parameters(in: url)
        if (try? WAAppPattern.check(pattern)) != nil, let url = WAAppURL(url) { _ = WAAppPattern(pattern).parameters(in: url) }
        _ = try? Route.routes(registering: pattern, id: "list")
        _ = (try? AppleLinkRules(paths: [pattern]))?.verdict(for: url)
        for syntax in Route.Syntax.allCases {
            let route = Route(id: "pears", syntax: syntax, key: "$deeplink_path", pattern: pattern, target: "pears")
            _ = (try? RouteTable([route]))?.match(url)
        }
    }

    /// Invariant: a written address is parsed as an equal address.
    private func readAddress(_ text: String) {
        _ = Network(text)
        guard let address = ClientAddress(text) else { return }
        precondition(ClientAddress(address.description) == address, "\(text) is read as another address")
    }
}
