import LinkRouting

/// Tells what last led a device or user into the app.
package struct LastTouchService: Sendable {
    private let storage: any Storage
    private let baseURL: BaseURL

    package init(storage: any Storage, baseURL: BaseURL) {
        self.storage = storage
        self.baseURL = baseURL
    }

    /// The data of the link that was clicked last within a window; empty if none was. Asked by tokens alone: a developer's user id is no
    /// credential.
    package func lastTouch(of tokens: UserTokens, in scope: Scope, within window: Duration) async throws -> JSONObject {
        try await storage.read { [baseURL] reader in
            let device = try reader.device(of: tokens, in: scope)
            let user = try reader.currentUser(of: tokens, device: device, in: scope)
            guard let id = try reader.lastTouch(device: device?.id, identity: user?.id), id.time + window >= reader.now,
                let click = try reader.click(id), let link = try reader.link(of: click)
            else { return [:] }
            return ReferringData.touch(
                Referral(
                    link: link, url: baseURL.url(of: link, appended: click.query), click: id,
                    query: link.isLong ? [] : URLParts.queryItems(click.query ?? ""), referrer: click.referrer, owner: nil,
                    phone: nil,
                    isGuaranteed: false))
        }
    }
}
