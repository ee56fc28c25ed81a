import Linden
import LindenKernel
import LindenServices
import SQLiteStorage
import Synchronization

/// Fills a database and measures installs in rounds, in which installs of all kinds follow one another in turn.
struct AttributionRun {
    let clicks: Int
    let neighbours: Int
    let rounds: Int
    /// The numbers of installs of each kind in a round.
    let prepared: Int
    let count: Int
    let kinds: [InstallKind]

    /// Commits do not wait for the disk, which takes no CPU time but disturbs its measurement.
    func measure(in path: String) async throws -> AttributionReport {
        let clock = ManualClock()
        let wallClock = WallClock { clock.now }
        let storage = try SQLiteStorage(
            path: path, options: SQLiteOptions(durability: .normal, checkpoints: true, creates: true), clock: wallClock)
        do {
            let meter = MeteredStorage(storage)
            let services = Services(
                storage: meter, installationKey: try await storage.installationKey(random: .system),
                baseURL: try BaseURL("https://go.example.com"), clock: wallClock)
            var generator = try await InstallGenerator(services, neighbours: neighbours, kinds: kinds)
            try await generator.fill(clicks: clicks)
            // Each call learns the devices of one app.
            for _ in 0..<3 { try await services.maintenance.runOnce() }
            var report = AttributionReport(clicks: clicks, neighbours: neighbours, installsPerRound: count)
            for round in 1...rounds { try await measure(round, &generator, services, meter, clock, &report) }
            await storage.shutdown()
            return report
        } catch {
            await storage.shutdown()
            throw error
        }
    }

    private func measure(
        _ round: Int, _ generator: inout InstallGenerator, _ services: Services, _ meter: MeteredStorage, _ clock: ManualClock,
        _ report: inout AttributionReport
    ) async throws {
        var installs: [(kind: InstallKind, start: SessionStart)] = []
        for _ in 0..<prepared {
            for kind in kinds { installs.append((kind, try await generator.prepare(kind))) }
        }
        clock.advance(seconds: 60)
        var all: [InstallKind: [Double]] = [:]
        var transactions: [InstallKind: [Double]] = [:]
        var newest: [InstallKind: Session.ID] = [:]
        for install in installs.prefix(count * kinds.count) {
            _ = meter.takeSpent()
            let before = CPUTime.process
            let session = try await services.sessions.start(install.start)
            let spent = CPUTime.process - before
            all[install.kind, default: []].append(Double(spent) / 1000)
            transactions[install.kind, default: []].append(Double(meter.takeSpent()) / 1000)
            newest[install.kind] = session.id
            try install.kind.check(session.data)
        }
        for kind in kinds {
            guard let id = newest[kind] else { continue }
            report.rounds.append(
                .init(
                    round: round, kind: kind, all: Spread(all[kind] ?? []), transaction: Spread(transactions[kind] ?? []),
                    rules: try await rules(kind, of: id, meter)))
        }
    }

    /// Returns the CPU time in microseconds in which the rules decide on the evidence of a session: the mean of 200 decisions.
    private func rules(_ kind: InstallKind, of id: Session.ID, _ storage: MeteredStorage) async throws -> Double {
        guard let evidence = try await storage.read({ try $0.session(id) })?.evidence,
            AttributionPolicy.decide(evidence).outcome == kind.outcome
        else { throw UnexpectedInstall(description: "The evidence of an install of the kind \(kind) gives another decision.") }
        let before = CPUTime.thread
        var answers = 0
        for _ in 0..<200 { answers += AttributionPolicy.decide(evidence).answers.count }
        let spent = CPUTime.thread - before
        guard answers > 0 else { throw UnexpectedInstall(description: "The rules give no answers.") }
        return Double(spent) / 200 / 1000
    }
}

/// A clock that only the benchmark advances, so that clicks are as old in every run.
private final class ManualClock: Sendable {
    private let milliseconds = Atomic<Int64>(1_800_000_000_000)

    var now: Timestamp { Timestamp(milliseconds: milliseconds.load(ordering: .relaxed)) }

    func advance(seconds: Int64) {
        milliseconds.add(seconds * 1000, ordering: .relaxed)
    }
}
