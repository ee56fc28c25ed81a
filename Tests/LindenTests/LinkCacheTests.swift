import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// What made-up requests and large links evict from the cache of links.
@Suite struct LinkCacheTests {
    @Test func madeUpHostNamesEvictNeitherDomainsNorLinks() async throws {
        try await Installation.run { installation in
            let services = installation.services
            let shared = try await services.apps.context(installation.createApp("A").live.key.branchKey)
            let own = try await services.apps.context(installation.createApp("B", domain: "b.example").live.key.branchKey)
            for app in [shared, own] { _ = try await services.links.create(NewLink(alias: "pears"), for: app) }
            let (storage, directory) = Self.directory(of: installation)
            for host in ["go.example.com", "b.example"] { _ = try await directory.link(host: host, path: "/pears", query: nil) }

            for number in 0..<2000 { _ = try await directory.link(host: "h\(number).example", path: "/none", query: nil) }

            let reads = storage.readCount
            for (host, app) in [("go.example.com", shared), ("b.example", own)] {
                #expect(try await directory.link(host: host, path: "/pears", query: nil)?.app.scope == app.scope)
            }
            #expect(storage.readCount == reads)
        }
    }

    @Test func largeLinksAreCachedByTheirMemoryAndEvictNoSmallOnes() async throws {
        try await Installation.run { installation in
            let services = installation.services
            let app = try await services.apps.context(installation.createApp().live.key.branchKey)
            _ = try await services.links.create(NewLink(alias: "small", data: ["variety": "Cox"]), for: app)
            let (numbers, text) = ([JSON](repeating: 1, count: 990), String(repeating: "g", count: 60_000))
            for number in 0..<200 {
                let data: JSONObject = ["a": .array(numbers), "b": .string(text)]
                _ = try await services.links.create(NewLink(alias: "large\(number)", data: data), for: app)
            }
            let (storage, directory) = Self.directory(of: installation)
            func visit(_ alias: String) async throws -> ResolvedLink? {
                try await directory.link(host: "go.example.com", path: "/" + alias, query: nil)
            }
            #expect(try await visit("small") != nil)
            let small = directory.cachedBytes
            #expect((512..<4096).contains(small))

            #expect(try await visit("large0") != nil)
            #expect(directory.cachedBytes > 60_000 + 990 * MemoryLayout<JSON>.stride)
            for number in 1..<200 { #expect(try await visit("large\(number)") != nil) }
            #expect(directory.cachedBytes <= small + 8 << 20)

            let reads = storage.readCount
            #expect(try await visit("small")?.link.data == ["variety": "Cox"])
            #expect(try await visit("large199") != nil)
            #expect(storage.readCount == reads)
        }
    }

    @Test func anInvalidatedLinkLeavesTheCacheWithItsBytes() async throws {
        try await Installation.run { installation in
            let services = installation.services
            let app = try await services.apps.context(installation.createApp().live.key.branchKey)
            let (_, directory) = Self.directory(of: installation)
            let link = try await services.links.create(NewLink(alias: "pears"), for: app)
            #expect(try await directory.link(host: "go.example.com", path: "/pears", query: nil) != nil)
            directory.invalidate(link.address)
            #expect(directory.cachedBytes == 0)
        }
    }

    /// Each of them may hold a megabyte.
    @Test func theLinksOfChangedAppsLeaveTheCacheAfterSixteenChanges() async throws {
        try await Installation.run { installation in
            let services = installation.services
            let scope = try await installation.createApp().live.key.scope
            let (_, directory) = Self.directory(of: installation)
            var bytes: [Int] = []
            for change in 1...16 {
                let app = try #require(try await services.directory.app(scope: scope))
                _ = try await services.links.create(NewLink(alias: "pears\(change)"), for: app)
                #expect(try await directory.link(host: "go.example.com", path: "/pears\(change)", query: nil) != nil)
                directory.invalidate(scope.app)
                services.directory.invalidate(scope.app)
                bytes.append(directory.cachedBytes)
            }
            #expect(bytes[14] >= 15 * bytes[0])
            #expect(bytes[15] < 2 * bytes[0])
        }
    }

    private static func directory(of installation: Installation) -> (HookedStorage, LinkDirectory) {
        let (storage, services) = (HookedStorage(installation.storage), installation.services)
        return (
            storage,
            LinkDirectory(
                storage: storage.domain, apps: services.directory, baseURL: services.baseURL, publicIDs: services.publicIDs)
        )
    }
}
