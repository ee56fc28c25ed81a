import Linden
import LindenKernel
import LinkRouting

/// A service that sends links by text message to visitors who opened them on a desktop (Branch's "text me the app").
package struct TextMessageService: Sendable {
    private let storage: any Database
    private let links: LinkDirectory
    private let baseURL: BaseURL
    private let publicIDs: PublicIDs
    private let clock: WallClock
    private let gateway: (any TextMessageGateway)?
    private let limits = TextMessageLimits()

    package init(
        storage: any Database, links: LinkDirectory, baseURL: BaseURL, publicIDs: PublicIDs, clock: WallClock,
        gateway: (any TextMessageGateway)?
    ) {
        self.storage = storage
        self.links = links
        self.baseURL = baseURL
        self.publicIDs = publicIDs
        self.clock = clock
        self.gateway = gateway
    }

    /// Whether a gateway is configured.
    package var isAvailable: Bool { gateway != nil }

    /// Sends a link to a phone; does nothing without a gateway.
    ///
    /// - Parameter name: the id of a click on the link, or the link's slug.
    package func send(
        _ name: String, on host: String, of app: AppContext, to phone: PhoneNumber, from address: ClientAddress
    ) async throws {
        guard let gateway else { return }
        guard let found = try await links.link(host: host, clickOrSlug: name), found.link.scope == app.scope else {
            throw Failure.noSuchLink
        }
        guard !found.link.hasExpired(at: clock.now(), in: app.app.configuration) else { throw Failure.linkEnded }
        let place = try limits.take(phone: phone, address: address, app: app.app.id, at: clock.now())
        let message = try await storage.write { transaction in
            let message = TextMessage(
                id: try transaction.newID(), scope: app.scope, link: found.link.id, query: found.link.query ?? found.clickedQuery,
                phone: phone)
            try transaction.insert(message)
            return message
        }
        do {
            try await gateway.send(text(found, message), to: phone)
        } catch {
            limits.giveBack(place)
            throw error
        }
    }

    /// Returns the template of the message: the link's own text, else the app's. Unless the app's `sms.custom_text` is `all`, the text of a
    /// link that was made with the branch key alone is ignored: anyone could send words of theirs in the operator's name. So is that of a
    /// long link, always.
    private func words(_ found: ResolvedLink) -> String {
        let (link, configuration) = (found.link, found.app.app.configuration)
        let mayBeOwn =
            switch configuration[AppSetting.customText] {
            case "all": !link.isLong
            case "none": false
            default: !link.isLong && link.isAuthenticated
            }
        let own = mayBeOwn ? link.data["$custom_sms_text"]?.scalarText : nil
        return own.flatMap { $0.isEmpty ? nil : $0 } ?? configuration["text_message"] ?? "Open \(found.app.app.name): {{ link }}"
    }

    /// Returns the message with the URL in place of `{{ link }}` (Branch's deep-link reference, `$custom_sms_text`; app configuration,
    /// `text_message`).
    private func text(_ found: ResolvedLink, _ message: TextMessage) -> String {
        let url = baseURL.url(of: LinkAddress(host: found.link.address.host, path: "c/" + publicIDs.string(for: message.id)))
        let text = words(found).replacing(/\{\{\s*link\s*\}\}/, with: "{{link}}")
        let cut = String(text.unicodeScalars.prefix(Self.longestText))
        return (cut.contains("{{link}}") ? cut : cut + " {{link}}").replacing("{{link}}", with: url)
    }

    /// In characters, without the link; equals three messages.
    private static let longestText = 480
}
