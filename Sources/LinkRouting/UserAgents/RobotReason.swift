/// The reason why a request is classified as a robot's.
public enum RobotReason: String, Sendable, Hashable, CaseIterable {
    /// A search engine or another crawler.
    case crawler
    /// A messenger or social network that fetches a preview of the link.
    case preview
    /// A monitor, library or command-line client.
    case tool
    /// A browser that prefetches a page, or an office program that tries a link before it passes it to the browser.
    case prefetch
    /// No user agent, or one that names neither a device nor a rendering engine, such as `Mozilla/5.0`.
    case unnamed
    /// The app through which the link is shared, at the request of the link's creator.
    case ignored
}

extension RobotReason {
    /// Classifies a user agent; nil if it may be a person's browser.
    public init?(userAgent: String) {
        self.init(UserAgentText(userAgent))
    }

    /// Names are compared word by word, so that a phone called CUBOT or an in-app browser is not a robot. In-app browsers carry their app's
    /// name (`[FBAN/FBIOS…]`, `Instagram`, `Snapchat/12`), so previews are recognized by the names of their fetchers; messengers whose
    /// fetcher has the messenger's own name (`WhatsApp/2.23`) only by the first word.
    init?(_ text: UserAgentText) {
        guard let first = text.words.first?.name else {
            self = .unnamed
            return
        }
        var found: RobotReason?
        if RobotNames.messengers.contains(first) { found = .preview }
        if found == nil, RobotNames.libraries.contains(first) { found = .tool }
        for word in text.words where found != .preview {
            guard let reason = RobotNames.names[word.name] ?? (RobotNames.isRobot(word.name) ? .crawler : nil) else { continue }
            // A preview fetcher may be built on a library, and some monitors also call themselves robots.
            if found.map({ reason.outweighs($0) }) ?? true { found = reason }
        }
        if found == nil, text.words.contains(where: { RobotNames.engines.contains($0.name) }), !text.has("applewebkit") {
            found = .tool
        }
        if found == nil, text.words.prefix(2).map(\.name) == ["microsoft", "office"] { found = .prefetch }
        if found == nil, text.leavesAddress { found = .crawler }
        if found == nil, first == "mozilla", text.words.count == 1 { found = .unnamed }
        // A browser names its rendering engine, or at least its device.
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
