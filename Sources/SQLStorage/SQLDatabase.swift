import LindenKernel
import LindenServices
import Logging

/// A database as the process that opened it sees it, whichever engine it is on.
package protocol SQLDatabase: Database {
    /// The number of calls that wait for a writer.
    var waitingWrites: Int { get }

    /// How long the oldest of these calls has waited; zero if none waits.
    var longestWriteWait: Duration { get }

    /// What is wrong with the database's files or server.
    var health: StorageHealth { get }

    /// Whether this process does the background work on the database: of several servers, one at a time.
    var isLeader: Bool { get }

    /// Returns the key behind this database's public ids; creates it if there is none yet.
    func installationKey(random: RandomSource) async throws -> InstallationKey

    /// Returns every migration with the time at which it was applied.
    func migrations() async throws -> [Migrator.Step]

    /// Says that the server begins to stop. Questions, which may otherwise take as long as the whole stop, get some seconds from now on.
    func hurryQuestions()

    /// Finishes accepted calls, releases the node number and closes the database. Later calls fail with `unavailable`.
    func shutdown() async
}

extension SQLDatabase {
    package func hurryQuestions() {}

    /// Logs how many calls wait for a writer, and for how long, if one has waited for more than a second: at most once a minute. Must be called
    /// about once a second.
    package func reportWaitingWrites() {
        let (count, wait) = (waitingWrites, longestWriteWait)
        guard wait > .seconds(1) else { return }
        health.warn(
            "Calls wait long for the database's writer.", ["waiting": "\(count)", "seconds": "\(wait.components.seconds)"])
    }
}
