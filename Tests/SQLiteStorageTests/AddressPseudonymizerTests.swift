import Foundation
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Synchronization
import Testing

/// The test clock starts at 08:00 UTC; ``untilMidnight`` is the rest of that day.
@Suite struct AddressPseudonymizerTests {
    private static let untilMidnight: Duration = .seconds(16 * 3600)
    private static let home = ClientAddress("203.0.113.7")!

    @Test func anAddressIsWrittenAlikeAllDayAndOtherwiseTheNext() async throws {
        try await Installation.run { installation in
            let book = installation.services.addresses
            let first = try await book.written(Self.home)
            installation.clock.advance(by: .seconds(3600))
            #expect(try await book.written(Self.home) == first)
            #expect(try await book.written(ClientAddress("203.0.113.8")!) != first)
            #expect(!first.contains("203.0.113.7"))
            installation.clock.advance(by: Self.untilMidnight)
            #expect(try await book.written(Self.home) != first)
            #expect(try await installation.count("SELECT COUNT(*) FROM address_keys") == 2)
        }
    }

    @Test func theKeyOfTomorrowIsMadeShortlyBeforeMidnight() async throws {
        try await Installation.run { installation in
            let book = installation.services.addresses
            _ = try await book.written(Self.home)
            installation.clock.advance(by: Self.untilMidnight - .seconds(600))
            try await book.makeNextKey()
            #expect(try await installation.count("SELECT COUNT(*) FROM address_keys") == 1)
            let today = try await book.written(Self.home)

            installation.clock.advance(by: .seconds(400))
            for _ in 1...2 { try await book.makeNextKey() }
            #expect(try await installation.count("SELECT COUNT(*) FROM address_keys") == 2)
            #expect(try await book.written(Self.home) == today)

            installation.clock.advance(by: .seconds(200))
            let tomorrow = try await book.written(Self.home)
            #expect(tomorrow != today)
            #expect(try await installation.count("SELECT COUNT(*) FROM address_keys") == 2)
            let lives = try await installation.texts("SELECT CAST(needed_until - (day + 1) * 86400000 AS TEXT) FROM address_keys")
            #expect(Set(lives).count == 1)
        }
    }

    @Test func withoutAVisitTodayNoKeyIsMadeForTomorrow() async throws {
        try await Installation.run { installation in
            installation.clock.advance(by: Self.untilMidnight - .seconds(60))
            try await installation.services.addresses.makeNextKey()
            #expect(try await installation.count("SELECT COUNT(*) FROM address_keys") == 0)
        }
    }

    @Test func anIPv6AddressIsWrittenAsThatOfItsHousehold() async throws {
        try await Installation.run { installation in
            let book = installation.services.addresses
            let one = try await book.written(ClientAddress("2001:db8:1:2::3")!)
            #expect(try await book.written(ClientAddress("2001:db8:1:2:ffff::9")!) == one)
            #expect(try await book.written(ClientAddress("2001:db8:1:3::3")!) != one)
        }
    }

    @Test func anUnknownAddressIsWrittenAsNothingAndNeedsNoKey() async throws {
        try await Installation.run { installation in
            let written = try await installation.services.addresses.written(.unknown)
            #expect(written == "")
            #expect(try await installation.services.addresses.kept(.unknown) == StoredAddress([]))
            #expect(try await installation.count("SELECT COUNT(*) FROM address_keys") == 0)
        }
    }

    @Test func theKeyOfYesterdayIsLookedUpUntilTheUsualWindowIsOver() async throws {
        try await Installation.run { installation in
            let book = installation.services.addresses
            installation.clock.advance(by: Self.untilMidnight - .seconds(60))
            let yesterday = try await book.written(Self.home)
            installation.clock.advance(by: .seconds(7200))
            let kept = try await book.kept(Self.home)
            #expect(kept.all.count == 2)
            #expect(kept.all.last == yesterday)
            #expect(kept.current == kept.all.first)
            installation.clock.advance(by: .seconds(60))
            #expect(try await book.kept(Self.home).all.count == 1)
        }
    }

    @Test func aKeyLivesAsLongAsTheLongestWindowOfItsDayAndNoLongerThanIsAllowed() async throws {
        try await Installation.run(privacy: AddressPrivacy(keyDays: 3)) { installation in
            let book = installation.services.addresses
            let clock = installation.clock
            func age() async throws -> Int64 {
                try await installation.count("SELECT needed_until - (day + 1) * 86400000 FROM address_keys") / 1000
            }
            _ = try await book.written(Self.home)
            #expect(try await age() == 7200)
            _ = try await book.written(Self.home, for: .seconds(86400))
            #expect(try await age() == 86400)
            _ = try await book.written(Self.home, for: .seconds(7200))
            #expect(try await age() == 86400)
            let first = try await book.written(Self.home, for: .seconds(30 * 86400))
            #expect(try await age() == 3 * 86400)
            clock.advance(by: Self.untilMidnight + .seconds(3 * 86400 - 1))
            #expect(try await book.kept(Self.home).all.contains(first))
            clock.advance(by: .seconds(1))
            #expect(try await !book.kept(Self.home).all.contains(first))
        }
    }

    @Test func aKeyThatWasToLiveLongerGoesWhenLessIsAllowed() async throws {
        try await Installation.withFolder { folder in
            let (path, clock) = (folder + "/linden.db", TestClock())
            let first = try await Installation.run(path: path, clock: clock, privacy: AddressPrivacy(keyDays: 30)) {
                try await $0.services.addresses.written(Self.home, for: .seconds(30 * 86400))
            }
            clock.advance(by: .seconds(3 * 86400))
            try await Installation.run(path: path, clock: clock, privacy: AddressPrivacy(keyDays: 1)) { installation in
                #expect(try await !installation.services.addresses.kept(Self.home).all.contains(first))
                try await installation.services.maintenance.runOnce()
                #expect(try await installation.texts("SELECT CAST(day AS TEXT) FROM address_keys").count == 1)
            }
        }
    }

    @Test(.enabled(if: Engine.isSQLite)) func anExpiredKeyIsGoneFromAllFilesOfTheDatabase() async throws {
        try await Installation.withFolder { folder in
            let clock = TestClock()
            try await Installation.run(path: folder + "/linden.db", clock: clock) { installation in
                _ = try await installation.services.addresses.written(Self.home)
                let secret = try await installation.sql { try $0.first("SELECT secret FROM address_keys") { $0.blob(0) } }
                let bytes = Data(try #require(secret))
                #expect(bytes.count == 32)
                #expect(try Self.files(in: folder).contains { $0.range(of: bytes) != nil })
                try await installation.services.maintenance.runOnce()
                #expect(try await installation.count("SELECT COUNT(*) FROM address_keys") == 1)
                clock.advance(by: Self.untilMidnight + .seconds(7200))
                try await installation.services.maintenance.runOnce()
                #expect(try await installation.count("SELECT COUNT(*) FROM address_keys") == 0)
                #expect(try Self.files(in: folder).allSatisfy { $0.range(of: bytes) == nil })
            }
        }
    }

    @Test(.enabled(if: Engine.isSQLite)) func afterAReaderBlockedItTheNextRoundEmptiesTheLog() async throws {
        try await Installation.withFolder { folder in
            try await Installation.run(path: folder + "/linden.db") { installation in
                let purges = Mutex(0)
                let storage = HookedStorage(
                    installation.storage,
                    mayPurge: {
                        purges.withLock { tries in
                            tries += 1
                            return tries > 1
                        }
                    })
                let book = AddressPseudonymizer(
                    storage: storage.domain, privacy: AddressPrivacy(), clock: installation.clock.clock,
                    random: .repeatable(seed: 1))
                _ = try await book.written(Self.home)
                let secret = try await installation.sql { try $0.first("SELECT secret FROM address_keys") { $0.blob(0) } }
                let bytes = Data(try #require(secret))
                installation.clock.advance(by: Self.untilMidnight + .seconds(7200))
                for isLeft in [true, false] {
                    try await book.deleteUnneededKeys()
                    #expect(try await installation.count("SELECT COUNT(*) FROM address_keys") == 0)
                    #expect(try Self.files(in: folder).contains { $0.range(of: bytes) != nil } == isLeft)
                }
            }
        }
    }

    /// Two processes with separate caches, such as a server and a command.
    @Test func theFirstKeyOfADayIsMadeOnceHoweverManyAskForIt() async throws {
        try await Installation.withFolder { folder in
            let (path, clock) = (folder + "/linden.db", TestClock())
            try await Installation.run(path: path, clock: clock, seed: 1) { one in
                try await Installation.run(path: path, clock: clock, seed: 2) { other in
                    let written = try await withThrowingTaskGroup(of: String.self) { tasks in
                        for number in 0..<100 {
                            let book = (number % 2 == 0 ? one : other).services.addresses
                            tasks.addTask { try await book.written(Self.home) }
                        }
                        return try await tasks.reduce(into: Set<String>()) { $0.insert($1) }
                    }
                    #expect(written.count == 1)
                    #expect(try await one.count("SELECT COUNT(*) FROM address_keys") == 1)
                }
            }
        }
    }

    @Test func aKeyThatAnotherProcessMadeIsLookedUpToo() async throws {
        try await Installation.withFolder { folder in
            let (path, clock) = (folder + "/linden.db", TestClock())
            try await Installation.run(path: path, clock: clock, seed: 1) { one in
                try await Installation.run(path: path, clock: clock, seed: 2) { other in
                    try await other.services.addresses.deleteUnneededKeys()
                    let yesterday = try await one.services.addresses.written(Self.home)
                    clock.advance(by: Self.untilMidnight)
                    let deadline = ContinuousClock.now + .seconds(20)
                    while try await !other.services.addresses.kept(Self.home).all.contains(yesterday) {
                        try #require(ContinuousClock.now < deadline)
                        try await Task.sleep(for: .milliseconds(50))
                    }
                }
            }
        }
    }

    @Test func whereNoAddressesAreKeptNothingIsWrittenAndRawIsWrittenAsItIs() async throws {
        try await Installation.run(privacy: AddressPrivacy(.none)) { installation in
            let written = try await installation.services.addresses.written(Self.home)
            #expect(written == "")
            #expect(try await installation.services.addresses.kept(Self.home) == StoredAddress([], isAllowed: false))
        }
        try await Installation.run(privacy: AddressPrivacy(.raw)) { installation in
            let kept = try await installation.services.addresses.kept(Self.home)
            #expect(kept == StoredAddress(["203.0.113.7"]))
            #expect(try await installation.count("SELECT COUNT(*) FROM address_keys") == 0)
        }
    }

    /// A device that was stored under both forms of an address, before and after midnight, counts once.
    @Test func densityIsCountedAcrossTheFormsOfAnAddress() async throws {
        try await Installation.run { installation in
            let scope = Scope(app: Identifier(rawValue: 1), mode: .live)
            let density = try await installation.storage.write { transaction in
                for (device, address) in [(1, "1:a"), (1, "2:b"), (2, "1:a"), (3, "2:b"), (4, "2:c")] {
                    try transaction.record(
                        device: Device.ID(rawValue: Int64(device)), DeviceDescription(), from: address, in: scope,
                        time: transaction.now)
                }
                return try transaction.density(of: ["2:b", "1:a"], in: scope, since: transaction.now, besides: nil, limit: 9)
            }
            #expect(density.devices == 3)
        }
    }

    static func files(in folder: String) throws -> [Data] {
        try FileManager.default.contentsOfDirectory(atPath: folder).map { try Data(contentsOf: URL(filePath: folder + "/" + $0)) }
    }
}
