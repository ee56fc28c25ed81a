import Linden
import LindenKernel
import Synchronization

/// The client for whom a task calls the database. Calls that wait are served app by app in turn, and within an app site by site: the
/// costly calls of one app's clients delay neither other apps nor the app's own servers, and those of one site no other site.
package final class CallOrigin: Sendable {
    /// Nil for visits, which are cheap, and for clients whose network is not counted.
    @TaskLocal package static var current: CallOrigin?

    /// The origin of the server's own work, such as counting, cleaning and erasures.
    package static let server = CallOrigin(site: 0)

    /// See ``ClientNetwork/site``.
    package let site: UInt64
    private let ownGroup = Atomic<UInt64>(0)
    private let ownWeight = Atomic<Int>(1)

    package init(site: UInt64) {
        self.site = site
    }

    /// A number for the app's authorized callers, or for its other clients; 0 while the app is not known.
    package var group: UInt64 { ownGroup.load(ordering: .relaxed) }

    /// The share of the queue that the call takes: one for a small call, one for each KiB of its body, since what waits keeps a multiple of it
    /// in memory, and more for a call that takes long.
    package var weight: Int { ownWeight.load(ordering: .relaxed) }

    /// - Parameters:
    ///   - isAuthorized: whether the caller has the app's secret or an access token.
    ///   - bytes: the size of the call's body.
    package func belongs(to app: App.ID, isAuthorized: Bool, bytes: Int = 0) {
        ownGroup.store(UInt64(bitPattern: app.rawValue) << 1 | (isAuthorized ? 1 : 0), ordering: .relaxed)
        ownWeight.store(1 + (bytes >> 10), ordering: .relaxed)
    }

    /// Adds the weight of a call whose work is known only after it was admitted, in small calls.
    package func add(work calls: Int) {
        ownWeight.wrappingAdd(calls, ordering: .relaxed)
    }
}
