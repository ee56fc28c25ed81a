import LinkRouting

/// Knows browsers again.
package struct BrowserService: Sendable {
    private let storage: any Storage
    private let addresses: AddressBook

    package init(storage: any Storage, addresses: AddressBook) {
        self.storage = storage
        self.addresses = addresses
    }

    /// The number of a browser: the first that it remembers and that can be one of ours, else a new one. No row is written, since most
    /// who ask never do more.
    package func number(remembered: [Browser.ID]) async throws -> Browser.ID {
        let known = try await storage.read { reader in remembered.first { $0.isPlausible(at: reader.now) } }
        if let known { return known }
        return try await storage.write { try $0.newID() }
    }

    /// An app opened a page in the browser beside it: keeps which browser that is, and what it clicked last, for the app's next session.
    ///
    /// - Parameters:
    ///   - deviceKeys: the ids by which that session will say what device it is on.
    ///   - click: from the browser's cookie; one of another app, or whose window is over, counts as none.
    package func keep(
        browser: Browser.ID, click: Click.ID?, deviceKeys: [String], from address: ClientAddress, in scope: Scope
    ) async throws {
        guard !deviceKeys.isEmpty else { return }
        let address = try await addresses.written(address, for: Self.window)
        guard !address.isEmpty else { return }
        try await storage.write { transaction in
            let open = try click.flatMap { try transaction.openClick($0, in: scope) }
            let match = StrongMatch(browser: browser, click: open)
            for key in deviceKeys {
                try transaction.insert(
                    match, for: key, from: address, in: scope, expiresAt: transaction.now + BrowserService.window)
            }
        }
    }

    /// The app's session follows within a second; a slow network may take longer.
    private static let window: Duration = .seconds(600)

    /// A site's page was told a number by a browser whose other number is known from its clicks: what is known of the one is true of the
    /// other.
    package func introduce(_ number: Browser.ID, as browser: Browser.ID, in scope: Scope) async throws {
        guard number != browser, let device = try await storage.read({ try $0.app(beside: browser, in: scope) }) else { return }
        try await storage.write { try $0.join(number, to: device, in: scope) }
    }

    package func hasApp(_ browser: Browser.ID, in scope: Scope) async throws -> Bool {
        try await storage.read { try $0.hasApp(browser, in: scope) }
    }
}

extension Reader {
    /// A click of a scope within its link's window.
    fileprivate func openClick(_ id: Click.ID, in scope: Scope) throws -> Click.ID? {
        guard let click = try click(id), click.scope == scope, click.visitor.robot == nil, let link = try link(of: click),
            let limit = try app(scope.app)?.configuration.longestMatch,
            click.id.time + link.matchWindow(appended: click.query, atMost: limit) > now
        else { return nil }
        return id
    }
}

extension Identifier {
    /// Whether an id that a client remembers can be one that was given to it: it has the 18 digits that clients need, and numbers of
    /// the future never were.
    func isPlausible(at time: Timestamp) -> Bool {
        rawValue >= 100_000_000_000_000_000 && self.time <= time + .seconds(60)
    }
}
