import Foundation
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import Passwords
import SQLStorage

/// A complete Linden on a real database of the tests' ``Engine``, with a clock that the test advances.
package struct Installation: Sendable {
    package let services: Services
    package let storage: any SQLDatabase
    package let clock: TestClock

    /// Opens a database, in memory unless a path is given, and closes it after the closure.
    @discardableResult
    package static func run<Result>(
        path: String = ":memory:", clock: TestClock = TestClock(), seed: UInt64 = 1, baseURL: String = "https://go.example.com",
        onClickFailure: ClickFailurePolicy = .refuse, country: @escaping CountryLookup = { _ in nil },
        addressClass: @escaping AddressClassLookup = { _ in .plain }, privacy: AddressPrivacy = AddressPrivacy(),
        adTokens: (any AdTokenService)? = nil, limits: RateLimits = .off,
        orders: OrderLimits = OrderLimits(), passwords: (any PasswordHasher)? = Argon2Hasher(), dashboardHost: String? = nil,
        minimumFreeDisk: Int64 = 0,
        freeDisk: @escaping @Sendable () -> Int64? = { nil }, pendingClickLimit: Int? = nil,
        _ body: (Installation) async throws -> Result
    ) async throws -> Result {
        try await Engine.withStorage(path: path, pendingClickLimit: pendingClickLimit, clock: clock.clock) { storage in
            let random = RandomSource.repeatable(seed: seed)
            let services = Services(
                storage: storage, installationKey: try await storage.installationKey(random: random),
                baseURL: try BaseURL(baseURL), clock: clock.clock, random: random, onClickFailure: onClickFailure, country: country,
                addressClass: addressClass, privacy: privacy, adTokens: adTokens, limits: limits, orders: orders,
                passwords: passwords, uptime: { clock.now.milliseconds * 1_000_000 }, dashboardHost: dashboardHost,
                minimumFreeDisk: minimumFreeDisk, freeDisk: freeDisk)
            return try await body(Installation(services: services, storage: storage, clock: clock))
        }
    }

    /// Runs a closure on a storage of either engine, and closes it afterwards.
    @discardableResult
    package static func run<Result>(
        on storage: any SQLDatabase, clock: TestClock = TestClock(), seed: UInt64 = 1, _ body: (Installation) async throws -> Result
    ) async throws -> Result {
        try await Engine.close(storage) { storage in
            let random = RandomSource.repeatable(seed: seed)
            let services = Services(
                storage: storage, installationKey: try await storage.installationKey(random: random),
                baseURL: try BaseURL("https://go.example.com"), clock: clock.clock, random: random)
            return try await body(Installation(services: services, storage: storage, clock: clock))
        }
    }

    /// Creates a temporary folder for a test's files and removes it afterwards.
    package static func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("linden-" + UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer {
            try? FileManager.default.removeItem(atPath: folder)
            Engine.removeDatabases(in: folder)
        }
        return try await body(folder)
    }

    /// Creates an app that is configured for iOS, Android and the web.
    package func createApp(_ name: String = "Orchard", settings: JSONObject = Installation.settings, domain: String? = nil)
        async throws
        -> CreatedApp
    {
        try await services.apps.create(NewApp(name: name, settings: settings, domain: domain))
    }

    package static let settings: JSONObject = [
        "ios_uri_scheme": "orchard",
        "ios_app_store_id": "123456789",
        "android_uri_scheme": "orchard",
        "android_package_name": "com.example.orchard",
        "web_url": "https://orchard.example.com",
    ]
}
