import Linden
import LindenKernel
import LindenServices

/// A run of the traffic generator: writes the rows of a plan to an empty database and aggregates them.
struct BenchDataRun {
    let plan: TrafficPlan
    let storage: any Database
    let apps: AppService
    let rateService: RateService
    let maintenance: Maintenance
    let baseURL: BaseURL

    /// Writes all rows and returns a summary: days, row count, rate and the apps' credentials.
    func fill() async throws -> JSONObject {
        let rates = self.rates
        try await rateService.load(rates, base: .standard)
        let apps = try await createApps()
        let start = ContinuousClock.now
        let rows = try await write(
            TrafficGenerator(plan, scopes: apps.map(\.live.key.scope), baseURL: baseURL, rates: rates))
        let seconds = Double((ContinuousClock.now - start).wholeMilliseconds) / 1000
        let progress = Progress()
        try await maintenance.count { progress.show($0) }
        progress.clear()
        return [
            "from": .string(Day(number: plan.days.lowerBound).text), "to": .string(Day(number: plan.days.upperBound).text),
            "seed": .decimal(String(plan.seed)), "rows": JSON(rows), "seconds": .decimal(String(seconds)),
            "rows_per_second": JSON(Int(Double(rows) / max(seconds, 0.001))),
            "apps": .array(
                apps.map { app in
                    [
                        "app_id": .string(String(app.app.id.rawValue)), "name": .string(app.app.name),
                        "branch_key": .string(app.live.key.branchKey), "branch_secret": .string(app.live.secret),
                    ]
                }),
        ]
    }

    /// Writes batch by batch and returns the number of rows. The next batch is generated while the previous one is written.
    private func write(_ generator: TrafficGenerator) async throws -> Int {
        var generator = generator
        let progress = Progress()
        defer { progress.clear() }
        var rows = 0
        var writing: Task<Void, any Error>?
        while let batch = generator.next() {
            try await writing?.value
            writing = Task { [storage] in try await storage.write { try batch.write(to: $0) } }
            rows += batch.count
            progress.show("\(rows) rows")
        }
        try await writing?.value
        return rows
    }

    private func createApps() async throws -> [CreatedApp] {
        var apps: [CreatedApp] = []
        for number in 1...plan.apps {
            let settings: JSONObject = [
                "web_url": "https://www.example.com", "ios_uri_scheme": "bench", "android_uri_scheme": "bench",
                "click_conversion_window_days": .string(String(TrafficEvents.creditedDays)),
            ]
            apps.append(try await self.apps.create(NewApp(name: "Bench \(number)", settings: settings)))
        }
        return apps
    }

    /// One rate per currency and day.
    private var rates: [ExchangeRate] {
        TrafficCatalog.rates.flatMap { currency, first in
            plan.days.enumerated().map { number, day in
                let rate = Money(millionths: first + first / 1000 * Int64(number))
                return ExchangeRate(currency: currency, base: .standard, day: day, rate: rate.text)
            }
        }
    }
}
