import LindenKernel
import LinkRouting

/// A device report from the page of a click. Browsers withhold from the request the traits that distinguish devices, but the page's scripts
/// may read them: the screen, and on Android the model and the OS version (W3C, "User-Agent Client Hints"). An app's SDK reports the same
/// traits.
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
    /// Adds a page's report to the pending click, as long as it is stored. Reports later than a minute after the click are ignored.
    ///
    /// - Parameters:
    ///   - text: the click's public id.
    ///   - admit: checks the rate limits of the click's app before anything is written. An error that it throws is the response.
    package func record(_ report: DeviceReport, of text: String, admittedBy admit: (Scope) throws -> Void) async throws {
        guard !report.isEmpty, let id: Click.ID = publicIDs.id(for: text), id.isPlausible(at: clock.now()),
            id.time + Self.pageTells > clock.now(), let click = try await storage.read({ try $0.click(id) })
        else { return }
        try admit(click.scope)
        guard click.fingerprint != nil else { return }
        try await storage.write { transaction in
            guard let fingerprint = try transaction.click(id)?.fingerprint else { return }
            try transaction.record(report, of: id, fingerprint)
        }
    }

    private static let pageTells: Duration = .seconds(60)
}
