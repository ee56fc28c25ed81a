import Linden
import LindenKernel
import LinkRouting

/// Recognizes browsers by their ids.
package struct BrowserService: Sendable {
    private let storage: any Storage
    private let addresses: AddressPseudonymizer

    package init(storage: any Storage, addresses: AddressPseudonymizer) {
        self.storage = storage
        self.addresses = addresses
    }

    /// Returns the id of a browser: the first of the remembered ids that is plausible, else a new one. No row is written, since most
    /// browsers that ask never do more.
    package func number(remembered: [Browser.ID]) async throws -> Browser.ID {
        let known = try await storage.read { reader in remembered.first { $0.isPlausible(at: reader.now) } }
        if let known { return known }
        return try await storage.write { try $0.newID() }
    }

    /// Stores, for the app's next session, which browser the app opened a page in and what that browser clicked last.
    ///
    /// - Parameters:
    ///   - deviceKeys: the ids by which that session will identify its device.
    ///   - click: from the browser's cookie; ignored if it is of another app or its window is over.
    package func keep(
        browser: Browser.ID, click: Click.ID?, deviceKeys: [String], from address: ClientAddress, in scope: Scope
    ) async throws {
        guard !deviceKeys.isEmpty else { return }
        let address = try await addresses.written(address, for: Self.window)
        guard !address.isEmpty else { return }
        // Before the transaction, because the data of the click's link may be large, and other writers would wait while it is parsed.
        let open = try await storage.read { reader in try click.flatMap { try reader.pendingClick($0, in: scope) } }
        try await storage.write { transaction in
            let match = StrongMatch(browser: browser, click: open)
            for key in deviceKeys {
                try transaction.insert(
                    match, for: key, from: address, in: scope, expiresAt: transaction.now + BrowserService.window)
            }
        }
    }

    /// How long a report is stored. The app's session follows within a second; a slow network may take longer.
    private static let window: Duration = .seconds(600)

    /// Links the id that a browser has on a site to the id that it has on link hosts: both are beside the same app.
    package func introduce(_ number: Browser.ID, as browser: Browser.ID, in scope: Scope) async throws {
        guard number != browser, let app = try await storage.read({ try $0.app(beside: browser, in: scope) }) else { return }
        try await storage.write { try $0.join(number, to: app.device, isGuessed: app.isGuessed, in: scope) }
    }

    package func hasApp(_ browser: Browser.ID, in scope: Scope) async throws -> Bool {
        try await storage.read { try $0.hasApp(browser, in: scope) }
    }
}

extension ClickReader where Self: LinkReader & AppContextReader & SnapshotReader {
    /// Returns the click if it is of the scope, not a robot's and within its link's window.
    fileprivate func pendingClick(_ id: Click.ID, in scope: Scope) throws -> Click.ID? {
        guard let click = try click(id), click.scope == scope, click.visitor.robot == nil, let link = try link(of: click),
            let limit = try app(scope.app)?.configuration.longestMatch,
            click.id.time + link.matchWindow(appended: click.query, atMost: limit) > now
        else { return nil }
        return id
    }
}
