extension Destination.Reason {
    /// The rule as a sentence, for explanations of a redirect.
    public var explanation: String {
        switch self {
        case .robotFallback: "A robot is sent to $og_redirect or $fallback_url, whose page has the tags for previews."
        case .robotPreview:
            "A robot reads the link's tags on a page of Linden's, because the link has neither $og_redirect nor $fallback_url."
        case .tagsWanted: "The program asked for the link's tags (Prefer-Html-Meta-Tags)."
        case .app: "The app is tried first, and the page goes on when it does not open."
        case .deepview: "A deepview shows the content and waits for its button."
        case .passiveDeepview: "A passive deepview shows the content while the app is tried, and goes on."
        case .nativeLink:
            "$ios_nativelink (or the app's links.ios_nativelink): the page's button puts the link onto the clipboard, where the app finds it after its install."
        case .webOnly: "The link is for the web only ($web_only, $mobile_web_only, or an address that begins with /e/)."
        case .deepLinkingOff: "$always_deeplink (or the app's always_open_app) is false, so the URI scheme is not tried."
        case .schemeHeldBack: "$uri_redirect_mode lets no page try the URI scheme here."
        case .withoutApp: "The visitor is known to lack the app (has_app=false)."
        case .noApp: "The app has no URI scheme on this platform."
        case .desktop:
            "A desktop goes to the link's page for desktops, else its $fallback_url, else the app's; with none of them it is shown a QR code."
        case .used: "The link was for one time and has been used; it names no web page to go to now."
        case .ended: "The link's time or its clicks are over."
        }
    }
}

extension Destination.Action {
    /// The link into the app; nil if the app is not opened.
    public var appLink: AppLink? {
        switch self {
        case .openApp(let app, _): app
        case .deepview(let deepview): deepview.app
        case .redirect, .sendToPhone, .preview, .nowhere: nil
        }
    }

    /// The target on the web or in a store; nil if there is none.
    public var target: Target? {
        switch self {
        case .redirect(let target): target
        case .openApp(_, let fallback): fallback
        case .deepview(let deepview): deepview.fallback
        case .sendToPhone, .preview, .nowhere: nil
        }
    }
}
