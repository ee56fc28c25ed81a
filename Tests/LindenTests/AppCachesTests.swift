import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// What a change of an app removes from the caches: an installation's apps do not know each other.
@Suite struct AppCachesTests {
    /// The caches of an installation with two apps that have a link each, and a count of what they read.
    private struct Caches {
        let storage: HookedStorage
        let links: LinkDirectory
        let associations: AssociationDirectory
        let apps: AppService
        let domains: DomainService

        init(of installation: Installation) {
            let (storage, services) = (HookedStorage(installation.storage), installation.services)
            let domain = storage.domain
            let apps = AppDirectory(storage: domain, clock: services.clock)
            links = LinkDirectory(storage: domain, apps: apps, baseURL: services.baseURL, publicIDs: services.publicIDs)
            associations = AssociationDirectory(storage: domain, baseURL: services.baseURL)
            let caches = AppCaches(apps: apps, links: links, associations: associations)
            self.apps = AppService(storage: domain, caches: caches, random: .repeatable(), dashboardHost: nil)
            domains = DomainService(
                storage: domain, links: links, associations: associations, caches: caches, baseURL: services.baseURL,
                dashboardHost: nil, turns: AnswerTurns(of: "lists"))
            self.storage = storage
        }

        func visit(_ path: String, on host: String = "go.example.com") async throws -> ResolvedLink? {
            try await links.link(host: host, path: path, query: nil)
        }

        /// Returns the number of reads of a visit.
        func readsOfVisit(_ path: String, on host: String = "go.example.com") async throws -> Int {
            let before = storage.readCount
            _ = try await visit(path, on: host)
            return storage.readCount - before
        }

        /// Returns the number of reads, and of different files, when fifty clients ask for an association file at once.
        func readsOfFile(on host: String) async throws -> (reads: Int, files: Int) {
            let before = storage.readCount
            let tags = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<50 { group.addTask { try await associations.file(.android, of: host)?.tag } }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            return (storage.readCount - before, tags.count)
        }
    }

    private static func run(
        _ body: @escaping @Sendable (_ caches: Caches, _ changed: CreatedApp, _ other: CreatedApp) async throws -> Void
    ) async throws {
        try await Installation.run { installation in
            let changed = try await installation.createApp("A")
            let other = try await installation.createApp("B", domain: "b.example")
            for (app, alias) in [(changed, "apples"), (other, "pears")] {
                let context = try await installation.services.apps.context(app.live.key.branchKey)
                _ = try await installation.services.links.create(NewLink(alias: alias), for: context)
            }
            let caches = Caches(of: installation)
            #expect(try await caches.visit("/apples") != nil)
            #expect(try await caches.visit("/pears", on: "b.example") != nil)
            try await body(caches, changed, other)
        }
    }

    @Test func aChangedAppIsReadAgainAndNoOther() async throws {
        try await Self.run { caches, app, other in
            _ = try await caches.apps.update(app.live.key.scope, settings: ["web_url": "https://new.example.com"])

            #expect(try await caches.readsOfVisit("/pears", on: "b.example") == 0)
            #expect(try await caches.visit("/pears", on: "b.example")?.app.app.id == other.app.id)
            let found = try await caches.visit("/apples")
            #expect(found?.app.app.configuration.values["web_url"] == "https://new.example.com")
            #expect(try await caches.readsOfVisit("/apples") == 0)
        }
    }

    @Test func linksOfADeletedAppAreNotFoundAnyMore() async throws {
        try await Self.run { caches, app, _ in
            try await caches.apps.delete(app.app.id)
            #expect(try await caches.visit("/apples") == nil)
            #expect(try await caches.visit("/pears", on: "b.example") != nil)
        }
    }

    @Test func aDomainBelongsToItsNewAppAtOnce() async throws {
        try await Self.run { caches, app, other in
            #expect(try await caches.links.domain("new.example") == nil)
            _ = try await caches.domains.add("new.example", to: app.live.key.scope)
            #expect(try await caches.links.domain("new.example")?.scope == app.live.key.scope)

            try await caches.domains.remove("new.example", from: app.live.key.scope)
            #expect(try await caches.links.domain("new.example") == nil)
            #expect(try await caches.readsOfVisit("/pears", on: "b.example") == 0)
            _ = try await caches.domains.add("new.example", to: other.live.key.scope)
            #expect(try await caches.links.domain("new.example")?.scope == other.live.key.scope)
        }
    }

    @Test func anAssociationFileIsMadeOnceForAllWhoWait() async throws {
        try await Self.run { caches, app, _ in
            #expect(try await caches.readsOfFile(on: "go.example.com") == (1, 1))
            _ = try await caches.apps.update(app.live.key.scope, settings: ["web_url": "https://new.example.com"])
            #expect(try await caches.readsOfFile(on: "go.example.com") == (1, 1))
        }
    }
}
