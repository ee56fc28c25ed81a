import LindenKernel
import LindenServices
import LindenTesting
import Synchronization
import Testing

@testable import Linden

/// What a change of an app removes from the caches: an installation's apps do not know each other.
@Suite struct AppCachesTests {
    /// The caches of an installation with two apps that have a link each, and a count of what they read.
    private struct Caches {
        let storage: HookedStorage
        let directory: AppDirectory
        let links: LinkDirectory
        let associations: AssociationDirectory
        let apps: AppService
        let domains: DomainService

        init(of installation: Installation, beforeRead: @escaping @Sendable () async throws -> Void = {}) {
            let storage = HookedStorage(installation.storage, beforeRead: beforeRead)
            let services = installation.services
            let domain = storage.domain
            directory = AppDirectory(storage: domain, clock: services.clock)
            links = LinkDirectory(storage: domain, apps: directory, baseURL: services.baseURL, publicIDs: services.publicIDs)
            associations = AssociationDirectory(storage: domain, baseURL: services.baseURL)
            let caches = AppCaches(apps: directory, links: links, associations: associations)
            self.apps = AppService(storage: domain, caches: caches, random: .repeatable(), dashboardHost: nil)
            domains = DomainService(
                storage: domain, links: links, associations: associations, caches: caches, baseURL: services.baseURL,
                dashboardHost: nil, turns: AnswerTurns(of: "lists"))
            self.storage = storage
        }

        func visit(_ path: String, on host: String = "go.example.com") async throws -> ResolvedLink? {
            try await links.link(host: host, path: path, query: nil)
        }

        /// Gives an app a name of Apple's, which is in association files.
        func name(_ app: CreatedApp, _ bundle: String) async throws {
            let settings: JSONObject = ["ios_team_id": "ABCDE12345", "ios_bundle_id": .string(bundle)]
            _ = try await apps.update(app.live.key.scope, settings: settings)
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

    @Test func aChangedAppIsReadOnceForAllVisitsThatWait() async throws {
        try await Self.run { caches, app, _ in
            _ = try await caches.apps.update(app.live.key.scope, settings: ["web_url": "https://new.example.com"])
            let before = caches.storage.readCount
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<50 { group.addTask { _ = try await caches.directory.app(scope: app.live.key.scope) } }
                try await group.waitForAll()
            }
            #expect(caches.storage.readCount == before + 1)
        }
    }

    /// Some letters are equal for Swift to those of ASCII: a stranger who sends a key with one would share the read of the app's own key.
    @Test func aKeyBeyondASCIIIsUnknownWithoutARead() async throws {
        try await Self.run { caches, app, _ in
            let before = caches.storage.readCount
            for key in ["\u{212A}", app.live.key.branchKey + "\u{301}"] {
                let failure = await #expect(throws: Failure.self) { _ = try await caches.directory.app(branchKey: key) }
                #expect(failure?.message == Failure.unknownBranchKey.message)
            }
            #expect(caches.storage.readCount == before)
        }
    }

    /// Customers change their apps all the time.
    @Test func aChangeOfAnotherAppDoesNotKeepAnAppFromBeingCached() async throws {
        try await Installation.run { installation in
            let (app, other) = (try await installation.createApp("A"), try await installation.createApp("B"))
            let changed = Mutex<AppDirectory?>(nil)
            let caches = Caches(of: installation, beforeRead: { changed.withLock { $0?.invalidate(other.app.id) } })
            changed.withLock { $0 = caches.directory }

            for _ in 0..<3 { #expect(try await caches.directory.app(scope: app.live.key.scope) != nil) }
            #expect(caches.storage.readCount == 1)
        }
    }

    @Test func aReadThatBeganBeforeAChangeIsNotCached() async throws {
        try await Installation.run { installation in
            let app = try await installation.createApp("A")
            let changed = Mutex<AppDirectory?>(nil)
            let caches = Caches(of: installation, beforeRead: { changed.withLock { $0?.invalidate(app.app.id) } })
            changed.withLock { $0 = caches.directory }

            for _ in 0..<3 { #expect(try await caches.directory.app(scope: app.live.key.scope)?.isOutdated == true) }
            #expect(caches.storage.readCount == 3)
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

            try await caches.domains.remove("new.example", from: app.live.key.scope, mayShareHost: true)
            #expect(try await caches.links.domain("new.example") == nil)
            #expect(try await caches.readsOfVisit("/pears", on: "b.example") == 0)
            _ = try await caches.domains.add("new.example", to: other.live.key.scope)
            #expect(try await caches.links.domain("new.example")?.scope == other.live.key.scope)
        }
    }

    @Test func anAssociationFileIsMadeOnceForAllWhoWait() async throws {
        try await Self.run { caches, app, _ in
            #expect(try await caches.readsOfFile(on: "go.example.com") == (1, 1))
            try await caches.name(app, "com.example.pears")
            #expect(try await caches.readsOfFile(on: "go.example.com") == (1, 1))
            _ = try await caches.apps.update(app.live.key.scope, settings: ["web_url": "https://new.example.com"])
            #expect(try await caches.readsOfFile(on: "go.example.com") == (0, 1), "the file does not have it")
        }
    }

    @Test func otherHostsKeepTheirAssociationFiles() async throws {
        try await Self.run { caches, app, other in
            for host in ["go.example.com", "b.example"] { _ = try await caches.readsOfFile(on: host) }
            try await caches.name(app, "com.example.pears")
            #expect(try await caches.readsOfFile(on: "b.example").reads == 0)

            try await caches.domains.associate(app.app.id, with: "b.example")
            #expect(try await caches.readsOfFile(on: "b.example").reads == 1)
            try await caches.name(app, "com.example.quinces")
            #expect(try await caches.readsOfFile(on: "b.example").reads == 1, "the app is in the file now")
            try await caches.domains.remove("b.example", from: other.live.key.scope, mayShareHost: true)
            #expect(try await caches.associations.file(.android, of: "b.example")?.tag == nil)
        }
    }

    /// A customer who changes an app again and again would have the file of a shared host made all the time.
    @Test func anAssociationFileThatTakesLongIsMadeATenthOfTheTime() async throws {
        try await Installation.run { installation in
            let app = try await installation.createApp("A")
            let caches = Caches(of: installation, beforeRead: { try await Task.sleep(for: .milliseconds(20)) })
            let began = ContinuousClock.now
            for number in 1...3 {
                try await caches.name(app, "com.example.pears\(number)")
                #expect(try await caches.readsOfFile(on: "go.example.com") == (1, 1))
            }
            #expect(.now - began >= .milliseconds(3 * 20 + 2 * 9 * 20))
        }
    }
}
