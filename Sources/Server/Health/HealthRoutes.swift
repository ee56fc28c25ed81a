import Hummingbird
import Linden
import LindenKernel
import LindenServices

/// Health checks for load balancers and monitors.
///
/// They are exempt from the limits, so that a flood from an address does not take the server out of a load balancer at that address.
/// Instead, they cost little: ``live(_:_:)`` reads nothing, and ``ready(_:_:)`` uses the database at most once a second.
struct HealthRoutes {
    let disk: DiskMonitor
    let clock: WallClock
    let storage: any Database
    /// The time without a successful write after which the server is not ready, while writes wait. A disk that is merely slow takes less.
    private static let longestStall: Duration = .seconds(8)
    /// The time after which a database that does not answer makes the server not ready. A busy one takes less.
    private static let longestLook: Duration = .seconds(4)
    /// Whether the database can be read and written; fails if it cannot.
    private let database = SecondCache<Void>()

    init(disk: DiskMonitor, clock: WallClock, storage: any Database) {
        self.disk = disk
        self.clock = clock
        self.storage = storage
    }

    /// `GET /healthz`: succeeds if the process responds.
    func live(_ request: Request, _ context: LindenContext) async throws -> Response {
        .json(["status": "ok"])
    }

    /// `GET /readyz`: succeeds if the database could be read and written within the last second, its disk has room, and writes
    /// that wait are done. Fails with `unavailable`.
    func ready(_ request: Request, _ context: LindenContext) async throws -> Response {
        try disk.check()
        let stall = storage.writeStall
        guard stall < Self.longestStall else {
            throw Failure.unavailable("Writes have been waiting for the database for \(stall.components.seconds) seconds.")
        }
        let silence = Failure.unavailable("The database has not answered for \(Self.longestLook.components.seconds) seconds.")
        try await database.value(at: clock.now(), within: Self.longestLook, orFail: silence) { [storage] in
            _ = try await storage.read { try $0.knownBaseURL() }
            // Only a write shows whether an earlier write problem persists.
            if storage.writeProblem != nil { try await storage.write { try $0.probe() } }
        }
        return .json(["status": "ready"])
    }
}
