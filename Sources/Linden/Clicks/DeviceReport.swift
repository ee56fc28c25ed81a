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
    /// Adds what a click's page reports to the open click, as long as that is kept. The page reports at once or not at all.
    ///
    /// - Parameters:
    ///   - text: the click's id as the wire shows it.
    ///   - admit: asks the limits of the click's app before anything is written. What it throws is the answer.
    package func note(_ report: DeviceReport, of text: String, admittedBy admit: (Scope) throws -> Void) async throws {
        guard !report.isEmpty, let id: Click.ID = publicIDs.id(for: text), id.isPlausible(at: clock.now()),
            id.time + Self.pageTells > clock.now(), let click = try await storage.read({ try $0.click(id) })
        else { return }
        try admit(click.scope)
        guard click.fingerprint != nil else { return }
        try await storage.write { transaction in
            guard let fingerprint = try transaction.click(id)?.fingerprint else { return }
            try transaction.note(report, of: id, fingerprint)
        }
    }

    private static let pageTells: Duration = .seconds(60)
}
