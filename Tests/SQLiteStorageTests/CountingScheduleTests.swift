import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// When a server counts new rows.
@Suite struct CountingScheduleTests {
    private func counted(in installation: Installation) async throws -> Int64 {
        try await installation.count(
            "SELECT CAST(COALESCE(SUM(count), 0) AS BIGINT) FROM rollups WHERE dimension = '' AND hours = 24")
    }

    @Test func rowsAreCountedEveryThirtySecondsWhileTheyKeepComing() async throws {
        try await Installation.run { installation in
            let maintenance = installation.services.maintenance
            try await maintenance.runIfDue()
            var countedAt: [Int] = []
            for second in 1...61 {
                installation.clock.advance(by: .seconds(1))
                try await Traffic(seed: 1).click(["autumn"], in: installation)
                let before = try await counted(in: installation)
                try await maintenance.runIfDue()
                if try await counted(in: installation) > before { countedAt.append(second) }
            }
            #expect(countedAt == [30, 60])
        }
    }

    @Test func rowsAreCountedOnceTrafficRests() async throws {
        try await Installation.run { installation in
            let maintenance = installation.services.maintenance
            try await maintenance.runIfDue()
            try await Traffic(seed: 1).click(["autumn", "winter"], in: installation)
            try await maintenance.runIfDue()
            #expect(try await counted(in: installation) == 0)
            installation.clock.advance(by: .seconds(3))
            try await maintenance.runIfDue()
            #expect(try await counted(in: installation) == 2)
        }
    }

    /// Apart from other maintenance, since a day of millions of rows takes minutes.
    @Test func theDevicesOfADayAreCountedApartOnceItIsOver() async throws {
        try await Installation.run { installation in
            let maintenance = installation.services.maintenance
            func countedDevices() async throws -> Int64 { try await installation.count("SELECT COUNT(*) FROM rollup_devices") }
            try await Traffic(seed: 1).click(["autumn", "winter"], in: installation)
            installation.clock.advance(by: .seconds(3))
            try await maintenance.countDevices()
            #expect(try await countedDevices() == 0)
            #expect(try await counted(in: installation) == 0)
            installation.clock.advance(by: .seconds(86400))
            try await maintenance.runIfDue()
            #expect(try await countedDevices() == 0)
            try await Traffic(seed: 2).click(["spring"], in: installation)
            try await maintenance.countDevices()
            let devices = try await countedDevices()
            #expect(devices > 0)
            #expect(try await counted(in: installation) == 2)
            try await maintenance.countDevices()
            #expect(try await countedDevices() == devices)
            for check in RollupChecks.all(day: nil) {
                #expect(try await installation.services.verification.result(of: check).problems == [])
            }
        }
    }

    @Test func manyUncountedRowsAreFoundByTheirNumber() async throws {
        try await Installation.run { installation in
            try await Traffic(seed: 1).click(["autumn", "winter", "spring"], in: installation)
            let isReached = try await installation.storage.read { reader in
                try (2...4).map { try reader.hasUncountedRows(atLeast: $0) }
            }
            #expect(isReached == [true, true, false])
            installation.clock.advance(by: .seconds(3))
            try await installation.services.maintenance.runOnce()
            #expect(try await installation.storage.read { try !$0.hasUncountedRows(atLeast: 1) })
        }
    }
}
