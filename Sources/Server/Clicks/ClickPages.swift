import Hummingbird
import Linden
import LindenAPI
import LindenServices
import LinkRouting
import Pages

/// The conversion of a visit's result to an HTTP response.
struct ClickPages {
    let links: LinkService
    let textMessages: TextMessageService
    let baseURL: BaseURL

    func answer(to result: VisitResult, of request: Request) -> BufferedResponse {
        // Computed on use: only pages need it, and most responses are redirects.
        var content: LinkContent { LinkContent(of: result) }
        var language: PageLanguage { request.pageLanguage }
        switch result.destination.action {
        case .redirect(let target):
            return .found(result.url(of: target))
        case .openApp(let app, let fallback):
            return .html(.interstitial(content, way(app, fallback, result), in: language))
        case .deepview(let deepview) where result.visitor.platform == .desktop && !deepview.isPassive:
            return .html(
                .desktop(
                    content, transfer(result), way(deepview.app, deepview.fallback, result),
                    showsImage: result.destination.reason == .deepview, in: language))
        case .deepview(let deepview):
            return .html(
                .deepview(
                    content, way(deepview.app, deepview.fallback, result, triesApp: deepview.triesApp),
                    isPassive: deepview.isPassive,
                    copied: deepview.copiesLink ? url(of: result) : nil, in: language))
        case .sendToPhone:
            return .html(.desktop(content, transfer(result), in: language))
        case .preview:
            return .html(.preview(of: result, url: links.url(of: result.link), in: language))
        case .nowhere:
            return switch result.destination.reason {
            case .used: .html(.used(content.brand, in: language))
            case .ended: .html(.expired(content.brand, in: language), status: .gone)
            default: .html(.nowhere(content, stores: stores(result), in: language))
            }
        }
    }

    private func stores(_ result: VisitResult) -> [StorePage] {
        let app = result.app.routing
        let targets = [app.ios.storeURL.map(Target.unchanged), app.android.storeURL.map(Target.playStore)]
        return targets.compactMap { $0 }.compactMap { StorePage(result.url(of: $0)) }
    }

    private func way(_ app: AppLink?, _ fallback: Target?, _ result: VisitResult, triesApp: Bool = true) -> AppLaunch {
        let fallbackURL = fallback.map(result.url)
        let address = app?.address(clickID: result.clickID, fallback: fallbackURL)
        return AppLaunch(
            address: universalLink(result) ?? address, automatic: triesApp ? address : nil,
            uri: app?.uri(clickID: result.clickID), platform: result.visitor.platform, after: app?.afterURL,
            fallback: fallbackURL,
            leadsToStore: fallback?.isStore ?? false, timeout: app?.timeout ?? AppLink.standardTimeout,
            report: result.isOpen ? "/c/\(result.clickID)/device" : nil)
    }

    private func universalLink(_ result: VisitResult) -> String? {
        guard let host = result.alternateDomain, result.isRecorded else { return nil }
        return baseURL.url(of: result.clickAddress(on: host))
    }

    private func transfer(_ result: VisitResult) -> PhoneTransfer {
        let link = result.link
        let whole = baseURL.url(of: link, appended: result.query, isWebOnly: result.isWebOnly)
        let url = whole.utf8.count <= Self.longestCode ? whole : url(of: result)
        let hasMessages = textMessages.isAvailable && result.isRecorded
        return PhoneTransfer(
            address: url, code: QRCodeRenderer.svg(of: url),
            messages: hasMessages ? ("/c/" + result.clickID, result.app.key.branchKey) : nil,
            stores: stores(result))
    }

    /// Returns the address of the click, which includes all that was appended to the link; the link's address if no click was recorded.
    private func url(of result: VisitResult) -> String {
        result.isRecorded
            ? baseURL.url(of: result.clickAddress(on: result.link.address.host))
            : links.url(of: result.link)
    }

    /// Bytes of the longest URL that is encoded in a QR code. Cameras have trouble with larger codes, so a longer link is replaced by the
    /// address of its click.
    private static let longestCode = 120
}

extension VisitResult {
    /// Returns the URL of a target with the click's id; without it if the visit was not recorded.
    func url(of target: Target) -> String { isRecorded ? target.url(clickID: clickID) : target.address }

    /// Whether a later install may be attributed to the click.
    fileprivate var isOpen: Bool {
        isRecorded && visitor.robot == nil && visitor.platform != .desktop && !parameters.isWithoutRecord
    }

    /// Returns the address of the click: it stands for the link with all that was appended to it.
    fileprivate func clickAddress(on host: String) -> LinkAddress {
        LinkAddress(host: host, path: (isWebOnly ? "e/c/" : "c/") + clickID)
    }
}
