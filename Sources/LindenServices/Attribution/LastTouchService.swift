import Linden
import LindenKernel
import LinkRouting

/// Reports the last touch of a device or identity.
package struct LastTouchService: Sendable {
    private let storage: any Storage
    private let baseURL: BaseURL

    package init(storage: any Storage, baseURL: BaseURL) {
        self.storage = storage
        self.baseURL = baseURL
    }

    /// Returns the data of the last touch within `window` and the link's own conversion window; empty if there is none. The caller
    /// identifies itself by tokens only: a developer's user id is no credential. With `security=strict`, only the user's first device
    /// learns the user's touches, since anyone who knows the name can log in by it on another device.
    package func lastTouch(of tokens: UserTokens, in app: AppContext, within window: Duration) async throws -> JSONObject {
        let (scope, isStrict) = (app.scope, app.app.configuration.isStrict)
        return try await storage.read { [baseURL] reader in
            let device = try reader.device(of: tokens, in: scope)
            var user = try reader.currentUser(of: tokens, device: device, in: scope)
            if isStrict, let id = user?.id, try reader.firstDevice(of: id) != device?.id { user = nil }
            guard
                let click = try reader.lastTouch(device: device, identity: user, in: scope, within: window)?.click,
                let link = try reader.link(of: click)
            else { return [:] }
            return ReferringData.touch(
                Referral(
                    link: link, url: baseURL.url(of: link, appended: click.query), click: click.id,
                    query: link.isLong ? [] : URLParts.queryItems(click.query ?? ""), referrer: click.referrer, owner: nil,
                    phone: nil,
                    isGuaranteed: false))
        }
    }
}
