import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import SQLiteStorage
import Testing

/// The cost of the searches for the data of people.
@Suite struct PersonalSearchTests {
    @Test func anErasureOfManyNamesSearchesAsOftenAsOneOfASingleName() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            for (number, name) in ["ann", "bob", "carol", "dan"].enumerated() {
                _ = try await exchange.install(
                    app.key.branchKey, ["identity": .string(name)], from: "192.0.2.\(number + 1)")
            }
            var pages: [Int] = []
            for names in [["ann"], ["bob", "carol", "dan"]] {
                let storage = HookedStorage(exchange.installation.storage)
                let requests = service(exchange, on: storage)
                let request = try await requests.ask(
                    .erasure, about: names.map { DataSubject(kind: .developer, value: $0) }, in: app.key.scope)
                try await requests.runAll()
                #expect(try await requests.request(request.handle).doneAt != nil)
                pages.append(storage.questionCount)
            }
            #expect(pages[0] > 0)
            #expect(pages[0] == pages[1])
            #expect(try await exchange.rows("SELECT COUNT(*) FROM identities WHERE developer_identity IS NOT NULL") == 0)
        }
    }

    /// More of them than one read takes.
    @Test func aPersonIsErasedFromAllDevicesButThoseOfOthers() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            func install(_ number: Int, _ name: String) async throws {
                _ = try await exchange.install(
                    app.key.branchKey,
                    ["identity": .string(name), "hardware_id": .string("H-\(number)"), "is_hardware_id_real": true],
                    from: "192.0.2.\(number % 250 + 1)")
            }
            for number in 0..<230 { try await install(number, "ann") }
            for number in [7, 150, 229] { try await install(number, "bob") }
            let people = exchange.services.people
            let erased = try await people.erase(try await people.identity("ann", in: app.key.scope))
            #expect(erased.devices == 227)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM devices") == 3)
            let bob = try await people.identity("bob", in: app.key.scope)
            #expect(try await people.summary(of: bob).devices.count == 3)
        }
    }

    @Test func aPageOfASearchContainsOnlyRowsOfItsApp() async throws {
        try await Exchange.run { exchange in
            let apps = [try await exchange.installation.createApp().live, try await exchange.installation.createApp("Grove").live]
            for number in 0..<6 {
                _ = try await exchange.install(
                    apps[number % 2].key.branchKey, ["identity": .string("user-\(number)")], from: "192.0.2.\(number + 1)")
            }
            let scope = apps[0].key.scope
            let tables: [(PersonalTable, String)] = [(.identities, "identities"), (.devices, "devices"), (.sessions, "sessions")]
            for (table, name) in tables {
                var found: Int64 = 0
                var last: Int64? = Int64.min
                while let after = last {
                    let page = try await exchange.installation.storage.read {
                        try $0.rows(of: table, in: scope, after: after, limit: 2)
                    }
                    #expect(page.rows.allSatisfy { $0.scope == scope })
                    found += Int64(page.rows.count)
                    last = page.last
                }
                #expect(found >= 3)
                #expect(try await exchange.rows("SELECT COUNT(*) FROM \(name) WHERE app_id = \(scope.app.rawValue)") == found)
                #expect(try await exchange.rows("SELECT COUNT(*) FROM \(name)") > found)
            }
        }
    }

    @Test func aDownloadBeginsBeforeItsSearchAndTheSearchEndsWithIt() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            _ = try await exchange.install(app.key.branchKey, ["identity": "ann"])
            let storage = HookedStorage(exchange.installation.storage)
            let ann = try await exchange.services.people.identity("ann", in: app.key.scope)
            let export = service(exchange, on: storage).export(ann, as: .csv)

            var complete = export
            let first = try await complete.next()
            let head = try #require(first)
            #expect(String(decoding: head, as: UTF8.self).hasPrefix("kind,id,time,data"))
            #expect(storage.questionCount == 0)
            let second = try await complete.next()
            let rows = try #require(second)
            #expect(String(decoding: rows, as: UTF8.self).contains("ann"))
            let questions = storage.questionCount
            #expect(questions > 0)

            let (cancelled, signal) = AsyncStream.makeStream(of: Void.self)
            let download = Task {
                var file = export
                _ = try await file.next()
                for await _ in cancelled {}
                _ = try await file.next()
            }
            download.cancel()
            signal.finish()
            await #expect(throws: CancellationError.self) { try await download.value }
            #expect(storage.questionCount == questions)
        }
    }

    private func service(_ exchange: Exchange, on storage: any Database) -> SubjectRequestService {
        SubjectRequestService(
            storage: storage, people: exchange.people(on: storage), publicIDs: exchange.services.publicIDs,
            exports: exchange.services.exports)
    }
}
