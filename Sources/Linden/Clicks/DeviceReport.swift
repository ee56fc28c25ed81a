import LinkRouting

/// What the page of a click tells of the phone it is on. Browsers keep from a request what tells one phone from another, and scripts of
/// the page may ask: the screen, and on Android the model and the system's version (W3C, "User-Agent Client Hints"). An app's SDK tells
/// the same.
package struct DeviceReport: Sendable, Equatable {
    package let screen: Screen?
    package let model: String?
    package let osVersion: String?

    var isEmpty: Bool { screen == nil && model == nil && osVersion == nil }

    package init(screen: Screen?, model: String? = nil, osVersion: String? = nil) {
        self.screen = screen
        self.model = model
        self.osVersion = osVersion
    }
}

extension ClickService {
    /// Keeps what a click's page tells with the open click, as long as that is kept. The page tells it at once or not at all.
    ///
    /// - Parameter text: the click's id as the wire shows it.
    package func note(_ report: DeviceReport, of text: String) async throws {
        guard !report.isEmpty, let id: Click.ID = publicIDs.id(for: text), id.isPlausible(at: clock.now()),
            id.time + Self.pageTells > clock.now(), try await storage.read({ try $0.click(id)?.fingerprint }) != nil
        else { return }
        try await storage.write { transaction in
            guard let fingerprint = try transaction.click(id)?.fingerprint else { return }
            try transaction.note(report, of: id, fingerprint)
        }
    }

    private static let pageTells: Duration = .seconds(60)
}
