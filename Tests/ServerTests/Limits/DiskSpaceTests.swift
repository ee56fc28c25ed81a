import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLiteStorage
import Synchronization
import Testing

/// What a server does when the free disk space is below its floor.
@Suite struct DiskSpaceTests {
    @Test func belowTheFloorOfFreeDiskWritesAreRefusedAndVisitsGoOn() async throws {
        let disk = Disk()
        try await Exchange.run(minimumFreeDisk: 1000, freeDisk: { disk.free }) { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            let path = try await exchange.createLink(key)
            disk.free = 999
            exchange.services.disk.sample()

            let refused = try await exchange.post("/v1/url", ["branch_key": .string(key)])
            #expect(refused.status == 503)
            #expect(refused.headers[.retryAfter] == "60")
            #expect(refused.errorMessage?.contains("limits.min_free_disk") == true)
            #expect(try await exchange.install(key).status == 503)
            #expect(try await exchange.get("/readyz").status == 503)
            #expect(try await exchange.get("/healthz").status == 200)
            #expect(try await exchange.get("/v1/url?branch_key=\(key)&url=https://go.example.com\(path)").status == 200)
            #expect(try await exchange.get(path).status < 400)
            let link = try await exchange.services.links.link(url: "https://go.example.com" + path, in: app.live.key.scope)
            let clicks = try await exchange.installation.storage.read {
                try $0.clicks(of: link.id, after: 0, through: .max, limit: 10).clicks
            }
            #expect(clicks.count == 1, "and the click is recorded")
            #expect(exchange.services.refusals.totals[.diskSpace] == 2)

            disk.free = 1000
            exchange.services.disk.sample()
            #expect(try await exchange.install(key).status == 200)
            #expect(try await exchange.get("/readyz").status == 200)
        }
    }

    @Test func belowTheFloorClicksAreRecordedWithoutLongQueries() async throws {
        let disk = Disk()
        try await Exchange.run(minimumFreeDisk: 1000, freeDisk: { disk.free }) { exchange in
            let app = try await exchange.installation.createApp()
            let path = try await exchange.createLink(app.live.key.branchKey)
            let (short, long) = ("fruit=pear", "$deeplink_path=" + String(repeating: "x", count: 600))
            for free in [999, 1000] as [Int64] {
                disk.free = free
                exchange.services.disk.sample()
                for query in [short, long] {
                    let answer = try await exchange.get(path + "?" + query, userAgent: UserAgents.android)
                    #expect(answer.status < 400 && (query == short || (answer.location ?? answer.body).contains("xxxx")))
                }
            }
            let link = try await exchange.services.links.link(url: "https://go.example.com" + path, in: app.live.key.scope)
            let clicks = try await exchange.installation.storage.read {
                try $0.clicks(of: link.id, after: 0, through: .max, limit: 10).clicks
            }
            #expect(clicks.map(\.query) == [short, nil, short, long])
        }
    }
}

private final class Disk: Sendable {
    private let bytes = Mutex<Int64>(1 << 30)

    var free: Int64 {
        get { bytes.withLock { $0 } }
        set { bytes.withLock { $0 = newValue } }
    }
}
