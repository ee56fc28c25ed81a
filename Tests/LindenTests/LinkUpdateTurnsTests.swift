import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLiteStorage
import Synchronization
import Testing

/// Updates of one link at the same time.
@Suite struct LinkUpdateTurnsTests {
    /// Each update parses the link's data, so one that has to start over costs as much as several.
    @Test(arguments: [10, 900]) func updatesOfOneLinkAtOnceAllSucceedAtTheFirstTry(keys: Int) async throws {
        try await Installation.run { installation in
            let services = installation.services
            let app = try await services.apps.context(installation.createApp().live.key.branchKey)
            let data = JSONObject((0..<keys).map { (key: "key\($0)", value: JSON.string("0123456789")) })
            let link = try await services.links.create(NewLink(data: data), for: app)
            let writes = WriteCounter()
            let storage = HookedStorage(installation.storage) { _ in writes.increment() }
            let links = Self.links(services, storage)

            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0...LinkService.mostWaitingUpdates {
                    group.addTask { _ = try await links.update(link.id, with: LinkChanges(data: ["new\(number)": "1"])) }
                }
                try await group.waitForAll()
            }

            let changed = try await services.links.link(url: links.url(of: link), in: app.scope)
            #expect(changed.data.count == keys + LinkService.mostWaitingUpdates + 1)
            #expect(writes.count == LinkService.mostWaitingUpdates + 1)
        }
    }

    @Test(.timeLimit(.minutes(1))) func updatesBeyondThoseThatWaitAreRefusedAndTheOthersAreMade() async throws {
        try await Installation.run { installation in
            let services = installation.services
            let app = try await services.apps.context(installation.createApp().live.key.branchKey)
            let link = try await services.links.create(NewLink(), for: app)
            let (gate, opener) = AsyncStream.makeStream(of: Void.self)
            let storage = HookedStorage(installation.storage) { write in
                guard write == 0 else { return }
                for await _ in gate {}
            }
            let links = Self.links(services, storage)
            let most = LinkService.mostWaitingUpdates + 1

            let failures = await withTaskGroup(of: Failure?.self) { group -> [Failure?] in
                for number in 0..<most + 3 {
                    group.addTask {
                        do {
                            _ = try await links.update(link.id, with: LinkChanges(data: ["new\(number)": "1"]))
                            return nil
                        } catch {
                            return error as? Failure ?? .invalid("\(error)")
                        }
                    }
                }
                // No update ends while the first one waits for the writer, so these are the refused ones.
                var failures: [Failure?] = []
                for _ in 0..<3 { failures.append(await group.next() ?? nil) }
                opener.finish()
                for await failure in group { #expect(failure?.code == nil) }
                return failures
            }

            #expect(failures.map { $0?.code } == [.unavailable, .unavailable, .unavailable])
            let changed = try await services.links.link(url: links.url(of: link), in: app.scope)
            #expect(changed.data.count == most)
        }
    }

    private static func links(_ services: Services, _ storage: HookedStorage) -> LinkService {
        let directory = LinkDirectory(
            storage: storage.domain, apps: services.directory, baseURL: services.baseURL, publicIDs: services.publicIDs)
        return LinkService(
            storage: storage.domain, directory: directory, baseURL: services.baseURL, random: .repeatable(),
            sizes: services.links.sizes)
    }
}

private final class WriteCounter: Sendable {
    private let writes = Mutex(0)

    var count: Int { writes.withLock { $0 } }

    func increment() { writes.withLock { $0 += 1 } }
}
