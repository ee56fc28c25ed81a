import Hummingbird
import Linden
import LinkRouting
import Pages

/// The conversion of a visit's result to an HTTP response.
struct ClickPages {
    let services: Services
    let request: Request

    func answer(to redirection: VisitResult) -> BufferedResponse {
        // Computed on use: only pages need it, and most responses are redirects.
        var content: LinkContent { LinkContent(of: redirection) }
        var language: PageLanguage { request.pageLanguage }
        switch redirection.destination.action {
        case .redirect(let target):
            return .found(redirection.url(of: target))
        case .openApp(let app, let fallback):
            return .html(.interstitial(content, way(app, fallback, redirection), in: language))
        case .deepview(let deepview) where redirection.visitor.platform == .desktop && !deepview.isPassive:
            return .html(
                .desktop(
                    content, transfer(redirection), way(deepview.app, deepview.fallback, redirection),
                    showsImage: redirection.destination.reason == .deepview, in: language))
        case .deepview(let deepview):
            return .html(
                .deepview(
                    content, way(deepview.app, deepview.fallback, redirection, triesApp: deepview.triesApp),
                    isPassive: deepview.isPassive,
                    copied: deepview.copiesLink ? url(of: redirection) : nil, in: language))
        case .sendToPhone:
            return .html(.desktop(content, transfer(redirection), in: language))
        case .preview:
            return .html(.preview(of: redirection, url: services.links.url(of: redirection.link), in: language))
        case .nowhere:
            return switch redirection.destination.reason {
            case .used: .html(.used(content.brand, in: language))
            case .ended: .html(.expired(content.brand, in: language), status: .gone)
            default: .html(.nowhere(content, stores: stores(redirection), in: language))
            }
        }
    }

    private func stores(_ redirection: VisitResult) -> [StorePage] {
        let app = redirection.app.routing
        let targets = [app.ios.storeURL.map(Target.unchanged), app.android.storeURL.map(Target.playStore)]
        return targets.compactMap { $0 }.compactMap { StorePage(redirection.url(of: $0)) }
    }

    private func way(_ app: AppLink?, _ fallback: Target?, _ redirection: VisitResult, triesApp: Bool = true) -> AppLaunch {
        let fallbackURL = fallback.map(redirection.url)
        let address = app?.address(clickID: redirection.clickID, fallback: fallbackURL)
        return AppLaunch(
            address: universalLink(redirection) ?? address, automatic: triesApp ? address : nil,
            uri: app?.uri(clickID: redirection.clickID), platform: redirection.visitor.platform, after: app?.afterURL,
            fallback: fallbackURL,
            leadsToStore: fallback?.isStore ?? false, timeout: app?.timeout ?? AppLink.standardTimeout,
            report: redirection.isOpen ? "/c/\(redirection.clickID)/device" : nil)
    }

    private func universalLink(_ redirection: VisitResult) -> String? {
        guard let host = redirection.alternateDomain, redirection.isRecorded else { return nil }
        return services.baseURL.url(of: redirection.clickAddress(on: host))
    }

    private func transfer(_ redirection: VisitResult) -> PhoneTransfer {
        let link = redirection.link
        let whole = services.baseURL.url(of: link, appended: redirection.query, isWebOnly: redirection.isWebOnly)
        let url = whole.utf8.count <= Self.longestCode ? whole : url(of: redirection)
        let hasMessages = services.textMessages.isAvailable && redirection.isRecorded
        return PhoneTransfer(
            address: url, code: QRCodeDrawing.svg(of: url),
            messages: hasMessages ? ("/c/" + redirection.clickID, redirection.app.key.branchKey) : nil,
            stores: stores(redirection))
    }

    /// Returns the address of the click, which includes all that was appended to the link; the link's address if no click was recorded.
    private func url(of redirection: VisitResult) -> String {
        redirection.isRecorded
            ? services.baseURL.url(of: redirection.clickAddress(on: redirection.link.address.host))
            : services.links.url(of: redirection.link)
    }

    /// Bytes of the longest URL that is encoded in a QR code. Cameras have trouble with larger codes, so a longer link is replaced by the
    /// address of its click.
    private static let longestCode = 120
}

extension VisitResult {
    fileprivate var isRecorded: Bool { clickID != "0" }

    /// Returns the URL of a target with the click's id; without it if the visit was not recorded.
    fileprivate func url(of target: Target) -> String { isRecorded ? target.url(clickID: clickID) : target.address }

    /// Whether a later install may be attributed to the click.
    fileprivate var isOpen: Bool {
        isRecorded && visitor.robot == nil && visitor.platform != .desktop && !parameters.isWithoutRecord
    }

    /// Returns the address of the click: it stands for the link with all that was appended to it.
    fileprivate func clickAddress(on host: String) -> LinkAddress {
        LinkAddress(host: host, path: (isWebOnly ? "e/c/" : "c/") + clickID)
    }
}
