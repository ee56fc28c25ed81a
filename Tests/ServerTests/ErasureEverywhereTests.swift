import HTTPTypes
import Linden
import LindenKernel
import LindenLedger
import LindenReporting
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// The erasure of an identity with data in every table that can have them, including an interrupted one: no data may be left.
@Suite struct ErasureEverywhereTests {
    @Test func noTableHoldsAnythingOfAnErasedPersonAndTheBooksAddUp() async throws {
        try await Exchange.run(privacy: AddressPrivacy(.raw)) { exchange in
            let life = try await ErasureScenario(exchange)
            let texts = try await life.texts()
            let before = try await exchange.traces(of: texts)
            #expect(
                life.tables.isSubset(of: Set(before.map(\.table))), "\(life.tables.subtracting(before.map(\.table)).sorted())")
            let issued = try await exchange.rows("SELECT CAST(SUM(balance) AS BIGINT) FROM credit_accounts")
            #expect(issued > 0)

            _ = try await exchange.services.people.erase(try await life.ann)
            let left = try await exchange.traces(of: texts)
            #expect(left == [])
            #expect(try await exchange.rows("SELECT CAST(SUM(balance) AS BIGINT) FROM credit_accounts") == issued)
            try await exchange.expectBooksAreRight()
            try await life.expectOthersAreAsTheyWere()
        }
    }

    @Test func anErasureThatWasCutOffIsDoneAgain() async throws {
        var wasCutOff = true
        var writes = 0
        while wasCutOff {
            wasCutOff = try await Exchange.run(privacy: AddressPrivacy(.raw)) { [writes] exchange in
                let life = try await ErasureScenario(exchange)
                let texts = try await life.texts()
                let ann = try await life.ann
                do {
                    _ = try await exchange.people(failingAfter: writes).erase(ann)
                } catch let failure as Failure where failure.code == .unavailable {
                    // The identity is deleted last: it can be found as long as any data are left.
                    if let ann = try? await life.ann { _ = try await exchange.services.people.erase(ann) }
                    let left = try await exchange.traces(of: texts)
                    #expect(left == [], "after \(writes) writes")
                    try await exchange.expectBooksAreRight()
                    return true
                }
                return false
            }
            writes += 1
        }
        #expect(writes > 20)
    }

    @Test(arguments: [AddressPrivacy.Form.raw, .keyed])
    func aPersonsFileShowsHerAddressesAndNoTokenOfOthers(form: AddressPrivacy.Form) async throws {
        try await Exchange.run(privacy: AddressPrivacy(form)) { exchange in
            let life = try await ErasureScenario(exchange)
            let ann = try await life.ann
            var file = exchange.services.subjectRequests.export(ann, as: .ndjson)
            var lines: [JSONObject] = []
            while let bytes = try await file.next() {
                lines += try bytes.split(separator: UInt8(ascii: "\n")).map {
                    try JSON.parse(String(decoding: $0, as: UTF8.self)).object!
                }
            }
            #expect(lines.contains { $0["kind"] == "referral" && $0["id"] == .null })
            let text = JSON.array(lines.map(JSON.object)).text
            #expect(text.contains(exchange.services.publicIDs.reference(to: ann.id)))
            let others = try await life.tokensOfOthers()
            #expect(others.count >= 18)
            for token in others { #expect(!text.contains(token)) }

            let isShown = form == .raw
            let clicks = lines.filter { $0["kind"] == "click" }.compactMap { $0["data"]?.object?["address"] }
            #expect(clicks.contains(.string(ErasureScenario.home)) == isShown && clicks.isEmpty == !isShown)
            let device = lines.first { $0["kind"] == "device" }?["data"]?.object
            #expect(device?["addresses"] == (isShown ? [.string(ErasureScenario.home)] : nil))
        }
    }

    @Test func anErasedUsersCodeIsNoCodeAnyMore() async throws {
        try await Exchange.run { exchange in
            let life = try await ErasureScenario(exchange)
            _ = try await exchange.services.referralCodes.check(life.code, for: .named("bob"), in: life.scope)
            _ = try await exchange.services.people.erase(try await life.ann)
            await #expect(throws: Failure.self) {
                _ = try await exchange.services.referralCodes.check(life.code, for: .named("bob"), in: life.scope)
            }
        }
    }

    /// The row that maps the click to the device expires after a while; the click's own query names the device permanently.
    @Test(arguments: [false, true])
    func aClickThatNamedTheDeviceForgetsIt(hasExpired: Bool) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key)
            let id = "6D92078A-8246-4BA4-AE5B-76104861E7DC"
            _ = try await exchange.get(path + "?$idfa=\(id)", from: "198.51.100.9")
            _ = try await exchange.install(
                key, ["identity": "ann", "hardware_id": .string(id), "hardware_id_type": "idfa", "is_hardware_id_real": true],
                from: "192.0.2.7")
            if hasExpired { _ = try await exchange.rows("DELETE FROM device_clicks RETURNING 1") }
            #expect(try await !exchange.traces(of: [id, id.lowercased()]).isEmpty)
            let scope = try await exchange.services.directory.app(branchKey: key).scope
            _ = try await exchange.services.people.erase(try await exchange.services.people.identity("ann", in: scope))
            let left = try await exchange.traces(of: [id, id.lowercased()])
            #expect(left == [])
        }
    }

    @Test func anErasureThatFailsDoesNotBlockOthers() async throws {
        try await Exchange.run { exchange in
            let life = try await ErasureScenario(exchange)
            let storage = HookedStorage(exchange.installation.storage) { write in
                if write == 0 { throw Failure.unavailable("The database is gone.") }
            }
            let requests = SubjectRequestService(
                storage: exchange.installation.storage, people: exchange.people(on: storage),
                publicIDs: exchange.services.publicIDs, exports: exchange.services.exports)
            var asked: [String] = []
            for name in [ErasureScenario.name, "carol"] {
                asked.append(
                    try await requests.ask(.erasure, about: [DataSubject(kind: .developer, value: name)], in: life.scope).handle)
            }
            await #expect(throws: Failure.self) { try await requests.runAll() }
            #expect(try await requests.request(asked[0]).doneAt == nil)
            #expect(try await requests.request(asked[1]).doneAt != nil)
            try await requests.runAll()
            #expect(try await requests.request(asked[0]).doneAt != nil)
        }
    }

    @Test(arguments: [#"subjects = '[["UNKNOWN_ID","ann"]]'"#, "subjects = '{}'", "subjects = '['", "kind = 'unknown'"])
    func anUnreadableErasureIsNotCompletedAndDoesNotBlockOthers(damage: String) async throws {
        try await Exchange.run { exchange in
            let life = try await ErasureScenario(exchange)
            let requests = exchange.services.subjectRequests
            var asked: [String] = []
            for name in [ErasureScenario.name, "carol"] {
                asked.append(
                    try await requests.ask(.erasure, about: [DataSubject(kind: .developer, value: name)], in: life.scope).handle)
            }
            _ = try await exchange.rows("UPDATE subject_requests SET \(damage) WHERE handle = '\(asked[0])' RETURNING 1")
            await #expect(throws: (any Error).self) { try await requests.runAll() }
            #expect(try await exchange.rows("SELECT COUNT(*) FROM subject_requests WHERE done_at IS NULL") == 1)
            #expect(try await requests.request(asked[1]).doneAt != nil)
        }
    }

    @Test func anErasureThatKeepsFailingIsRetriedLessAndLessOften() async throws {
        try await Exchange.run { exchange in
            let life = try await ErasureScenario(exchange)
            let storage = HookedStorage(exchange.installation.storage) { _ in throw Failure.unavailable("The database is gone.") }
            let requests = SubjectRequestService(
                storage: exchange.installation.storage, people: exchange.people(on: storage),
                publicIDs: exchange.services.publicIDs, exports: exchange.services.exports)
            let subject = DataSubject(kind: .developer, value: ErasureScenario.name)
            let request = try await requests.ask(.erasure, about: [subject], in: life.scope)
            for wait in [0, 0, 5, 30] as [Int64] {
                exchange.installation.clock.advance(by: .seconds(wait))
                await #expect(throws: Failure.self, "after \(wait) seconds") { try await requests.runAll() }
            }
            try await requests.runAll()
            #expect(try await requests.request(request.handle).doneAt == nil)
        }
    }

    @Test func whatComesInMeanwhileGoesToo() async throws {
        try await Exchange.run { exchange in
            let life = try await ErasureScenario(exchange)
            let storage = HookedStorage(exchange.installation.storage) { write in
                guard write == 1 else { return }
                // After the first pass: a click in the browser associated with Ann's app.
                let cookie = "_s=" + exchange.services.publicIDs.string(for: life.browser)
                _ = try await exchange.get(life.link, from: "192.0.2.200", headers: [.cookie: cookie])
                #expect(try await exchange.rows(life.clicksOfTheBrowser) == 1)
            }
            _ = try await exchange.people(on: storage).erase(try await life.ann)
            #expect(try await exchange.rows(life.clicksOfTheBrowser) == 0)
        }
    }
}
