/// Why a request is taken for a machine's.
public enum RobotReason: String, Sendable, Hashable, CaseIterable {
    /// A search engine or another crawler.
    case crawler
    /// A messenger or network that draws a preview of the link.
    case preview
    /// A monitor, library or command-line client.
    case tool
    /// A browser loading ahead of its user, or an office program trying a link before it hands it to the browser.
    case prefetch
    /// No user agent at all, or none that says more than `Mozilla/5.0`.
    case unnamed
    /// The app that the link is shared through, as its maker asked.
    case ignored
}

extension RobotReason {
    /// The reason why a user agent is not a person's browser; nil if it may be one.
    public init?(userAgent: String) {
        self.init(UserAgentText(userAgent))
    }

    /// Names are compared word by word, so that a phone called CUBOT or an in-app browser is a person's. In-app browsers carry
    /// their app's name too (`[FBAN/FBIOS…]`, `Instagram`, `Snapchat/12`), so previewers are listed by the names of their fetchers;
    /// messengers whose fetcher has the messenger's own name (`WhatsApp/2.23`) are known by beginning with it.
    init?(_ text: UserAgentText) {
        guard let first = text.words.first?.name else {
            self = .unnamed
            return
        }
        var found: RobotReason?
        if RobotNames.messengers.contains(first) { found = .preview }
        if found == nil, RobotNames.libraries.contains(first) { found = .tool }
        for word in text.words where found != .preview {
            guard let told = RobotNames.names[word.name] ?? (RobotNames.isRobot(word.name) ? .crawler : nil) else { continue }
            // What fetches previews may be built upon a library, and some monitors call themselves robots too.
            if found.map({ told.outweighs($0) }) ?? true { found = told }
        }
        if found == nil, text.words.contains(where: { RobotNames.engines.contains($0.name) }), !text.has("applewebkit") {
            found = .tool
        }
        if found == nil, text.words.prefix(2).map(\.name) == ["microsoft", "office"] { found = .prefetch }
        if found == nil, text.leavesAddress { found = .crawler }
        if found == nil, first == "mozilla", text.words.count == 1 { found = .unnamed }
        // Whatever shows pages says with what, or at least where.
        if found == nil, DeviceFamily(text) == nil, !text.words.contains(where: { RobotNames.renderers.contains($0.name) }) {
            found = .unnamed
        }
        guard let found else { return nil }
        self = found
    }

    private func outweighs(_ other: RobotReason) -> Bool {
        weight > other.weight
    }

    private var weight: Int {
        switch self {
        case .preview: 3
        case .tool: 2
        case .crawler: 1
        default: 0
        }
    }
}
