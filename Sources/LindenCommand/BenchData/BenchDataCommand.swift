import ArgumentParser
import Linden
import LindenKernel
import LindenServices
import SQLiteStorage

struct BenchDataCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-data",
        abstract: "Fill an empty database with synthetic traffic, for trials and benchmarks.",
        discussion: """
            Generates apps with links and content, and days of clicks (some by robots), installs, opens, views and purchases, in three \
            currencies with rates and one without. The same seed and days generate the same traffic; keys and ids of the apps are always \
            new. Conversion windows are set to a week, so that some events come too late.

            Do not use it on a production database.
            """)

    @Option(help: "The seed of the random numbers; the same seed generates the same traffic.")
    var seed: UInt64 = 1
    @Option(help: "How many days of traffic to generate.")
    var days = 30
    @Option(help: ArgumentHelp("The last day (UTC), such as 2027-01-31. Default: yesterday.", valueName: "date"))
    var until: String?
    @Option(help: "How many apps to generate.")
    var apps = 2
    @Option(help: "How many links to generate in total. Clicks per link follow Zipf's law: the n-th has 1/n of the first's.")
    var links = 1000
    @Option(help: "How many clicks to generate in total, some of them by robots.")
    var clicks = 100_000
    @Option(help: "How many installs to generate in total, two thirds of them after a click.")
    var installs = 8000
    @Option(help: "How many further opens to generate in total.")
    var opens = 24_000
    @Option(help: "How many events to generate in total.")
    var events = 100_000
    @Flag(help: "Add to a database that already has traffic, if all of it is older.")
    var append = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        func check(_ value: Int, _ name: String, _ allowed: ClosedRange<Int>) throws {
            guard allowed.contains(value) else {
                throw ValidationError("--\(name) must be from \(allowed.lowerBound) to \(allowed.upperBound).")
            }
        }
        try check(days, "days", 1...366)
        try check(apps, "apps", 1...100)
        try check(links, "links", apps...1_000_000)
        try check(clicks, "clicks", 0...1_000_000_000)
        try check(installs, "installs", 0...100_000_000)
        try check(opens, "opens", 0...1_000_000_000)
        try check(events, "events", 0...1_000_000_000)
        if installs == 0, opens + events > 0 {
            throw ValidationError("--installs must be 1 or more if --opens or --events is.")
        }
        do {
            _ = try lastDay()
        } catch let failure as Failure {
            throw ValidationError(failure.message)
        }
    }

    func run() async throws {
        let settings = try await common.settings()
        let options = SQLiteOptions(durability: settings.durability, readers: 1, analysts: 1, checkpoints: true, creates: true)
        try await settings.withStorage(options) { storage in
            let services = try await Services(storage: storage, settings: settings)
            let plan = try plan(before: services.rates.today)
            try await storage.read { try checkRoom(for: plan, in: $0) }
            let run = BenchDataRun(
                plan: plan, storage: storage, apps: services.apps, rateService: services.rates, maintenance: services.maintenance,
                baseURL: services.baseURL)
            Output(format: common.format).show(try await run.fill())
        }
    }

    /// The day of `--until`; nil if it was not given.
    private func lastDay() throws -> Day? { try until.map { try Day(named: $0, option: "--until") } }

    private func plan(before today: Int64) throws -> TrafficPlan {
        let last = try lastDay()?.number ?? today - 1
        guard last < today else {
            throw Failure.invalid("--until must be before today, so that new rows are later.")
        }
        let first = last - Int64(days) + 1
        guard first > IDGenerator.epoch.day else {
            throw Failure.invalid("The days must be after \(Day(number: IDGenerator.epoch.day).text), when the ids of rows begin.")
        }
        return TrafficPlan(
            seed: seed, days: first...last, apps: apps, links: links, clicks: clicks, installs: installs, opens: opens,
            events: events)
    }

    /// Fails with `conflict` unless the database is empty or, with ``append``, all its log rows are older than the plan's first day.
    /// Aggregation reads rows in the order of their ids, which is that of time: rows inserted before its cursor would be skipped.
    private func checkRoom(for plan: TrafficPlan, in reader: any DatabaseReader) throws {
        guard append else {
            guard try reader.isEmpty() else {
                throw Failure(
                    .conflict, "The database is not empty: name another by --database, or add to it by --append.")
            }
            return
        }
        guard let newest = try reader.newestLogRow(), newest.day >= plan.days.lowerBound else { return }
        throw Failure(
            .conflict,
            """
            The database has clicks, sessions or events until \(Day(number: newest.day).text), and more can only be added after that day and \
            before today. These would begin on \(Day(number: plan.days.lowerBound).text): choose other --days and --until.
            """)
    }
}
