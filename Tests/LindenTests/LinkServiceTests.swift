import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLiteStorage
import Synchronization
import Testing

@Suite struct LinkServiceTests {
    @Test func aLinkIsFoundByURLSlugOrId() async throws {
        try await Installation.run { installation in
            let app = try await installation.services.apps.context(installation.createApp().live.key.branchKey)
            let link = try await installation.services.links.create(NewLink(alias: "shop/pears"), for: app)
            for reference in ["https://go.example.com/shop/pears?x=1", "shop/pears", String(link.id.rawValue)] {
                let found = try await installation.services.links.find(reference)
                #expect(found.id == link.id)
            }
        }
    }

    /// Visits compare the hosts of these URLs, and their redirects repeat them.
    @Test func aLinkHasABoundedNumberOfURLsOfBoundedLength() throws {
        let limits = LinkSizeLimits()
        var data: JSONObject = [:]
        for number in 1...256 { data["$ios_url_\(number)"] = "https://orchard.example.com" }
        try limits.check(data, Labels())
        data["$fallback_url"] = "https://orchard.example.com"
        let failure = #expect(throws: Failure.self) { try limits.check(data, Labels()) }
        #expect(failure?.code == .tooLarge)
        #expect(failure?.message == "data may have at most 256 URLs and paths, not 257.")
        for key in ["$fallback_url", "$ios_url_de", "$og_redirect", "$og_video"] {
            let long = JSON.string(String(repeating: "a", count: 8193))
            #expect(throws: Failure.self) { try limits.check([key: long], Labels()) }
        }
    }

    @Test func anotherHostsURLIsNoLinkOfOurs() async throws {
        try await Installation.run { installation in
            let app = try await installation.services.apps.context(installation.createApp().live.key.branchKey)
            _ = try await installation.services.links.create(NewLink(alias: "pears"), for: app)
            let failure = await #expect(throws: Failure.self) {
                try await installation.services.links.find("https://elsewhere.example/pears")
            }
            #expect(failure?.code == .notFound)
        }
    }

    @Test func anAliasOnSeveralHostsMustBeNamedByItsURL() async throws {
        try await Installation.run { installation in
            let shared = try await installation.services.apps.context(installation.createApp("A").live.key.branchKey)
            let own = try await installation.services.apps.context(
                installation.createApp("B", domain: "b.example").live.key.branchKey)
            for app in [shared, own] { _ = try await installation.services.links.create(NewLink(alias: "pears"), for: app) }

            let failure = await #expect(throws: Failure.self) { try await installation.services.links.find("pears") }

            #expect(failure?.message.contains("https://go.example.com/pears https://b.example/pears") == true)
            let found = try await installation.services.links.find("https://b.example/pears")
            #expect(found.scope == own.scope)
        }
    }

    @Test func aFreedAliasCanBeTakenAgain() async throws {
        try await Installation.run { installation in
            let links = installation.services.links
            let app = try await installation.services.apps.context(installation.createApp().live.key.branchKey)
            let link = try await links.create(NewLink(alias: "pears"), for: app)
            try await links.delete(link.id)
            await #expect(throws: Failure.self) { try await links.create(NewLink(alias: "pears"), for: app) }
            try await links.delete(link.id, freeAddress: true)
            let again = try await links.create(NewLink(alias: "pears"), for: app)
            #expect(again.id != link.id)
        }
    }

    @Test func whatALinkIsAboutIsSavedKeyByKey() async throws {
        try await Installation.run { installation in
            let app = try await installation.services.apps.context(installation.createApp().live.key.branchKey)
            for data: JSONObject in [
                [
                    "$canonical_identifier": "pear/1", "$og_title": "Pear", "$price": .decimal("1.50"), "$deeplink_path": "x",
                    "mine": 1,
                ],
                ["$canonical_identifier": "pear/1", "$og_title": "Better pear"],
            ] {
                _ = try await installation.services.links.create(NewLink(data: data), for: app)
            }
            let object = try await installation.storage.read { try $0.object("pear/1", in: app.scope) }
            #expect(
                object?.data
                    == ["$canonical_identifier": "pear/1", "$og_title": "Better pear", "$price": .decimal("1.50")])
        }
    }

    @Test func aRefusedLinkWritesNothingAtAll() async throws {
        try await Installation.run { installation in
            let app = try await installation.services.apps.context(installation.createApp().live.key.branchKey)
            let links = installation.services.links
            _ = try await links.create(NewLink(alias: "pears"), for: app)
            let refused = NewLink(
                alias: "pears", labels: Labels(channel: "x"), data: ["$canonical_identifier": "new"], identity: "newcomer")
            await #expect(throws: Failure.self) { try await links.create(refused, for: app) }
            let (object, identity) = try await installation.storage.read {
                (try $0.object("new", in: app.scope), try $0.identity("newcomer", in: app.scope))
            }
            #expect(object == nil)
            #expect(identity == nil)
        }
    }

    @Test func aConflictNamesTheFirstDifferences() async throws {
        try await Installation.run { installation in
            let app = try await installation.services.apps.context(installation.createApp().live.key.branchKey)
            let links = installation.services.links
            _ = try await links.create(NewLink(alias: "pears", data: Self.manyKeys), for: app)
            let failure = await #expect(throws: Failure.self) {
                try await links.create(NewLink(alias: "pears", labels: Labels(channel: "x")), for: app)
            }
            let differences = failure?.details["differences"]?.object
            #expect(differences?.count == 10)
            #expect(differences?["channel"] == ["stored": nil, "sent": "x"])
            #expect(differences?["data.key0"] == ["stored": 0, "sent": nil])
        }
    }

    /// A bulk call may name one large link a thousand times, and its answer shows none of the link's data.
    @Test func inBulkExistingLinksAreReturnedWithoutTheirData() async throws {
        try await Installation.run { installation in
            let app = try await installation.services.apps.context(installation.createApp().live.key.branchKey)
            let links = installation.services.links
            let key = RequestKey(text: "first")
            let stored = try await links.create(NewLink(alias: "pears", data: Self.manyKeys, requestKey: key), for: app)

            let items = [NewLink(requestKey: key), NewLink(alias: "pears"), NewLink(alias: "pears", data: Self.manyKeys)]
            let results = try await links.create(items.map { Result<NewLink, Failure>.success($0) }, for: app)

            let retried = try results[0].get()
            #expect(retried.id == stored.id)
            #expect(retried.data.isEmpty)
            let failure = #expect(throws: Failure.self) { try results[1].get() }
            #expect(failure?.code == .conflict)
            #expect(failure?.details["differences"]?.object?.isEmpty == true)
            let equal = try results[2].get()
            #expect(equal.id == stored.id)
        }
    }

    /// The data of an existing link is parsed and compared after the transaction if its text is not that of the call.
    @Test(arguments: [false, true])
    func dataThatMeansTheSameIsNoConflict(isBulk: Bool) async throws {
        try await Installation.run { installation in
            let app = try await installation.services.apps.context(installation.createApp().live.key.branchKey)
            let links = installation.services.links
            let stored = try await links.create(NewLink(alias: "pears", data: ["a": 1, "b": [1, 2]]), for: app)
            func create(_ data: JSONObject) async throws -> Link {
                let new = NewLink(alias: "pears", data: data)
                guard isBulk else { return try await links.create(new, for: app) }
                return try await links.create([Result<NewLink, Failure>.success(new)], for: app)[0].get()
            }
            let same = try await create(["b": [1, 2], "a": 1])
            #expect(same.id == stored.id)
            let failure = await #expect(throws: Failure.self) { _ = try await create(["a": 1, "b": [2, 1]]) }
            #expect(failure?.code == .conflict)
            let shown: [String] = isBulk ? [] : ["data.b"]
            #expect(failure?.details["differences"]?.object?.keys == shown)
        }
    }

    @Test func aCallTriedAgainHasTheLinkAsStored() async throws {
        try await Installation.run { installation in
            let app = try await installation.services.apps.context(installation.createApp().live.key.branchKey)
            let links = installation.services.links
            let key = RequestKey(text: "first")
            let stored = try await links.create(NewLink(data: Self.manyKeys, requestKey: key), for: app)
            for data in [Self.manyKeys, [:]] as [JSONObject] {
                let again = try await links.create(NewLink(data: data, requestKey: key), for: app)
                #expect(again.id == stored.id)
                #expect(again.data == Self.manyKeys)
            }
        }
    }

    @Test func aChangeThatAnotherCallMakesMeanwhileIsKept() async throws {
        try await Installation.run { installation in
            let services = installation.services
            let app = try await services.apps.context(installation.createApp().live.key.branchKey)
            let link = try await services.links.create(NewLink(data: ["a": 1]), for: app)
            let storage = HookedStorage(installation.storage) { write in
                guard write == 0 else { return }
                _ = try await services.links.update(link.id, with: LinkChanges(channel: .set("mail"), data: ["b": 2]))
            }
            let directory = LinkDirectory(
                storage: storage.domain, apps: services.directory, baseURL: services.baseURL, publicIDs: services.publicIDs)
            let links = LinkService(
                storage: storage.domain, directory: directory, baseURL: services.baseURL, random: .repeatable(),
                sizes: services.links.sizes)
            let changed = try await links.update(link.id, with: LinkChanges(data: ["c": 3]))
            #expect(changed.data == ["a": 1, "b": 2, "c": 3])
            #expect(changed.labels.channel == "mail")
        }
    }

    /// Other writers wait for a transaction, so it reads an existing link once and only some links.
    @Test func aTransactionOfABulkReadsABoundedAmountOfExistingLinks() async throws {
        try await Installation.run { installation in
            let services = installation.services
            let app = try await services.apps.context(installation.createApp().live.key.branchKey)
            let large: JSONObject = ["text": .string(String(repeating: "x", count: 60_000))]
            for number in 0..<20 {
                _ = try await services.links.create(NewLink(alias: "large\(number)", data: large), for: app)
            }
            let counter = WriteCounter()
            let storage = HookedStorage(installation.storage) { _ in counter.increment() }
            let directory = LinkDirectory(
                storage: storage.domain, apps: services.directory, baseURL: services.baseURL, publicIDs: services.publicIDs)
            let links = LinkService(
                storage: storage.domain, directory: directory, baseURL: services.baseURL, random: .repeatable(),
                sizes: services.links.sizes)

            let different = (0..<20).map { Result<NewLink, Failure>.success(NewLink(alias: "large\($0)")) }
            #expect(try await links.create(different, for: app).count == 20)
            #expect(counter.count == 3, "nine links of 60 KB each")

            let equal = [Result<NewLink, Failure>](repeating: .success(NewLink(alias: "large0")), count: 500)
            #expect(try await links.create(equal, for: app).count == 500)
            #expect(counter.count == 4)
        }
    }

    private static let manyKeys = JSONObject((0..<900).map { (key: "key\($0)", value: JSON.integer(Int64($0))) })
}

private final class WriteCounter: Sendable {
    private let writes = Mutex(0)

    var count: Int { writes.withLock { $0 } }

    func increment() { writes.withLock { $0 += 1 } }
}
