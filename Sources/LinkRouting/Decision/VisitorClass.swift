/// The properties of a visitor that a decision reads. ``Decision`` sees nothing else of a visitor, so visitors of the same class always get
/// the same destination.
public struct VisitorClass: Sendable, Hashable {
    let platform: Platform
    let device: DeviceFamily?
    /// The maker, if links may have a page for its devices; nil for all others.
    let maker: DeviceMaker?
    /// Whether an app shows the page in its own browser.
    let isInApp: Bool
    let isWeChat: Bool
    /// Whether the browser shows an empty page after a redirect to a store if the visitor stays: Safari on iOS from 10.3 on, and Facebook
    /// (Branch's guide to deepviews).
    let leavesBlankPages: Bool
    /// Whether the browser supports Android intents: browsers built on Chromium do, in-app browsers do not.
    let takesIntents: Bool
    /// Whether the visitor gets the destination of robots. A prefetched page may be shown to the visitor, so it is the one that the visitor
    /// would get.
    let isRobot: Bool
    let hasApp: Bool?
    /// The visitor's country; nil if it is unknown or makes no difference.
    private(set) var country: String?

    public init(_ visitor: Visitor) {
        platform = visitor.platform
        device = visitor.device
        switch visitor.maker {
        case .samsung: maker = .samsung
        case .huawei: maker = .huawei
        default: maker = nil
        }
        isInApp = visitor.inAppBrowser != nil
        isWeChat = visitor.inAppBrowser == .weChat
        leavesBlankPages =
            visitor.browser?.family == .safari || visitor.inAppBrowser == .facebook || visitor.inAppBrowser == .messenger
        takesIntents =
            visitor.platform == .android && visitor.inAppBrowser == nil
            && visitor.browser.map { Self.isChromium($0.family) } ?? false
        isRobot = visitor.robot != nil && visitor.robot != .prefetch
        hasApp = visitor.hasApp
        country = visitor.country
    }

    /// The class of a visitor of a link with the given pages: without the country unless the link has pages by country.
    public init(_ visitor: Visitor, of urls: LinkURLs) {
        self.init(visitor)
        if !urls.dependOnCountry { country = nil }
    }

    private static func isChromium(_ family: WebBrowser.Family) -> Bool {
        switch family {
        case .chrome, .edge, .samsungInternet, .opera, .brave, .vivaldi, .yandex, .ecosia, .whale, .duckDuckGo: true
        default: false
        }
    }
}
