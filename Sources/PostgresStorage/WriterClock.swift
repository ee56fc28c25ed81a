import LindenKernel
import Logging
import SQLStorage

/// This machine's clock, which is compared with that of the database's machine. The ids of all servers follow the clock that is furthest ahead
/// and never go back, so a wrong one would move the ids of all of them.
struct WriterClock {
    /// See ``PostgresOptions/clockTolerance``.
    let tolerance: Duration?
    let clock: WallClock
    let health: StorageHealth

    /// Returns the time, at the beginning of a turn. Fails with ``ClockError``.
    func now(in turn: PostgresTurn) throws -> Timestamp {
        let now = try compare(with: turn.databaseTime)
        let lead = IDGenerator.time(of: turn.newestID).milliseconds - now.milliseconds
        if Duration.milliseconds(lead) > PostgresOptions.mostClockDifference {
            health.warn(
                "The newest id is ahead of this machine's clock, because that is behind, or another server's was ahead.",
                [
                    "seconds": "\(lead / 1000)",
                    "seconds_behind_database": "\((turn.databaseTime.milliseconds - now.milliseconds) / 1000)",
                ])
        }
        return now
    }

    /// Returns the time. Fails with ``ClockError`` if it is too far ahead of the database's.
    @discardableResult
    func compare(with databaseTime: Timestamp) throws -> Timestamp {
        let now = clock.now()
        let lead = Duration.milliseconds(now.milliseconds - databaseTime.milliseconds)
        if let tolerance, lead > tolerance { throw ClockError(seconds: lead.components.seconds) }
        return now
    }
}

/// The error of a write by a machine whose clock is ahead of the database's.
struct ClockError: DriverError {
    let seconds: Int64

    var description: String { "this machine's clock is \(seconds) seconds ahead of the database's" }
    var failure: Failure? { .unavailable("Nothing is written, because \(description).") }
    var openingProblem: String { "is not written: \(description)" }
    let isBusy = false
    let isDamage = false
}
