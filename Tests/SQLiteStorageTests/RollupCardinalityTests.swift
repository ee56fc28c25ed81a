import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Testing

/// Limits of a day's distinct values.
@Suite struct RollupCardinalityTests {
    @Test func aDayWithTooManyValuesCountsTheRestAsOther() async throws {
        try await Installation.run { installation in
            let traffic = Traffic(seed: 8)
            let day = installation.clock.now.day
            try await installation.sql { connection in
                for value in 0..<Rollup.valuesOfVisitors - 1 {
                    try connection.execute(
                        """
                        INSERT INTO rollup_values (app_id, mode, dimension, day, value)
                        VALUES (1, 0, 'campaign', \(day), \("old \(value)"))
                        """)
                }
                for owner in [0, 1] {
                    try connection.execute(
                        """
                        INSERT INTO rollup_shares (app_id, mode, dimension, day, kind, owner_kind, owner, number)
                        VALUES (1, 0, 'campaign', \(day), 0, \(Int64(owner)), 0, \(Int64(Rollup.valuesOfVisitors - 1)))
                        """)
                }
            }
            try await traffic.click(["first", "second", "third", "first"], in: installation)
            installation.clock.advance(by: .seconds(60))
            try await installation.services.rollups.aggregate()
            let counted = try await installation.texts(
                "SELECT value || ' ' || count FROM rollups WHERE dimension = 'campaign' AND hours = 24 ORDER BY 1")
            #expect(counted == ["first 2", "other 2"])
            try await installation.expectNoProblems()
        }
    }

    @Test func oneAddressUsesUpItsShareOfADaysValuesAndNotThoseOfOthers() async throws {
        try await Installation.run { installation in
            let traffic = Traffic(seed: 9)
            try await traffic.click((0..<10_050).map { "made-up \($0)" }, from: "203.0.113.7", in: installation)
            installation.clock.advance(by: .seconds(60))
            try await installation.services.rollups.aggregate()
            try await traffic.click(["autumn", "made-up 7"], from: "198.51.100.1", in: installation)
            try await traffic.click(["more", "made-up 7"], from: "203.0.113.7", in: installation)
            installation.clock.advance(by: .seconds(60))
            try await installation.services.rollups.aggregate()
            let counts = try await installation.texts(
                """
                SELECT value || ' ' || count FROM rollups
                WHERE dimension = 'campaign' AND hours = 24 AND (value IN ('autumn', 'other', 'more', 'made-up 7')) ORDER BY 1
                """)
            #expect(counts == ["autumn 1", "made-up 7 3", "other 9051"])
            try await installation.expectNoProblems()
        }
    }

    /// A device has a share of the combinations, since a few hundred names and values make many thousands.
    @Test func aDeviceThatSendsManyNamesOfManyCampaignsUsesUpItsOwnShareOnly() async throws {
        try await Installation.run { installation in
            let traffic = Traffic(seed: 11)
            let names = (0..<30).map { "name \($0)" }
            try await traffic.send(names, campaigns: 0..<40, device: 1, in: installation)
            installation.clock.advance(by: .seconds(60))
            try await installation.services.rollups.aggregate()
            try await traffic.send(["name 29"], campaigns: 39..<40, device: 2, in: installation)
            installation.clock.advance(by: .seconds(60))
            try await installation.services.rollups.aggregate()

            for dimension in ["campaign", "link"] {
                let names = try await installation.count(
                    "SELECT COUNT(*) FROM rollups WHERE dimension = \(dimension) AND hours = 24 AND name <> 'other'")
                #expect(names == Int64(Rollup.valuesPerVisitor.address + 1))
            }
            let last = try await installation.texts(
                """
                SELECT name || ': ' || count FROM rollups WHERE dimension = 'campaign' AND value = 'campaign 39' AND hours = 24 ORDER BY 1
                """)
            #expect(last == ["name 29: 1", "other: 30"])
            let counts = try await installation.texts(
                "SELECT DISTINCT count FROM rollups WHERE dimension = '' AND hours = 24 AND name <> 'name 29'")
            #expect(counts == ["40"], "each name is counted whole where no value is asked for")
            try await installation.expectNoProblems()

            installation.clock.advance(by: .seconds(86_400))
            try await installation.services.rollups.aggregate()
            let devices = try await installation.texts(
                """
                SELECT name || ': ' || devices FROM rollup_devices WHERE dimension = 'campaign' AND value = 'campaign 39' ORDER BY 1
                """)
            #expect(
                devices == [": 2", "name 29: 2", "other: 1"], "devices are counted after the day, by the combinations it has then")
            try await installation.expectNoProblems(on: installation.clock.now.day - 1)
        }
    }

    @Test func visitorsWhomNothingTellsApartMayBringHalfOfADaysValues() async throws {
        try await Installation.run { installation in
            let traffic = Traffic(seed: 10)
            try await traffic.click((0..<5_050).map { "campaign \($0)" }, from: "", in: installation)
            try await traffic.click(["autumn"], from: "198.51.100.1", in: installation)
            installation.clock.advance(by: .seconds(60))
            try await installation.services.rollups.aggregate()
            let counts = try await installation.texts(
                "SELECT value || ' ' || count FROM rollups WHERE dimension = 'campaign' AND hours = 24 AND value IN ('autumn', 'other') ORDER BY 1"
            )
            #expect(counts == ["autumn 1", "other 50"])
        }
    }
}
