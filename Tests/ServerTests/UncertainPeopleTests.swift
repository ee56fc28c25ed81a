import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenTesting
import SQLStorage
import Testing

@testable import LindenServices

/// What belongs to a person where it is uncertain who the person is: behind a shared address, a forwarded message or a device of many users.
@Suite struct UncertainPeopleTests {
    private static let café = "203.0.113.140"

    private static func cookies(_ answer: Exchange.Answer) -> HTTPFields {
        [.cookie: answer.headers[values: .setCookie].map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")]
    }

    @Test func aGuessMakesNoBrowserAnothersAndTakesNone() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            let key = app.key.branchKey
            let links = [
                try await exchange.createLink(key, ["data": ["n": 1]]), try await exchange.createLink(key, ["data": ["n": 2]]),
            ]
            let first = try await exchange.get(links[0], from: "192.0.2.31")
            let browser = Self.cookies(first)
            _ = try await exchange.install(
                key, ["identity": "eve", "link_identifier": .string(try #require(first.linkClickID)), "ios_vendor_id": "E"],
                from: "192.0.2.31")
            _ = try await exchange.get(links[1], from: "192.0.2.31", headers: browser)
            _ = try await exchange.get(links[0], from: Self.café, headers: browser)
            let stranger = try await exchange.install(key, ["identity": "stranger", "ios_vendor_id": "S"], from: Self.café)
            #expect(try stranger.data["+clicked_branch_link"] == true)
            #expect(try stranger.data["+match_guaranteed"] == false)

            let people = exchange.services.people
            func clicks(of name: String) async throws -> Int {
                let identity = try await people.identity(name, in: app.key.scope)
                return try await people.find([identity.id], in: app.key.scope).clicks.count
            }
            #expect(try await clicks(of: "stranger") == 1)
            #expect(try await clicks(of: "eve") == 3)
        }
    }

    @Test func aBrowserIsKnownToHaveTheAppByAGuessUntilItsUserIsErased() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            _ = try await exchange.get(try await exchange.createLink(app.key.branchKey), from: Self.café)
            _ = try await exchange.install(app.key.branchKey, ["identity": "ann"], from: Self.café)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM browsers WHERE is_guessed = 1") == 1)
            let browser = try #require(try await exchange.lastClick().browser)
            #expect(try await exchange.services.browsers.hasApp(browser, in: app.key.scope))
            _ = try await exchange.services.people.erase(try await exchange.services.people.identity("ann", in: app.key.scope))
            #expect(try await exchange.rows("SELECT COUNT(*) FROM browsers") == 0)
        }
    }

    @Test func aPhoneNumberIsReturnedToWhoCertainlyCameByItsMessageAndNotStored() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            let message = try await exchange.message(to: "+15550100123", app)
            _ = try await exchange.get(message, from: Self.café)
            let guessed = try await exchange.install(app.key.branchKey, ["ios_vendor_id": "S"], from: Self.café)
            #expect(try guessed.data["+clicked_branch_link"] == true)
            #expect(try guessed.data["+phone_number"] == nil)

            let click = try #require(try await exchange.get(message, from: "192.0.2.1").linkClickID)
            let certain = try await exchange.install(
                app.key.branchKey, ["link_identifier": .string(click), "ios_vendor_id": "A", "identity": "ann"], from: "192.0.2.1")
            #expect(try certain.data["+phone_number"] == "+15550100123")
            #expect(Set(try await exchange.traces(of: ["5550100123"]).map(\.table)) == ["text_messages"])
        }
    }

    /// The number may be of who forwarded a message, or of who got it.
    @Test func whoOpensAForwardedMessageGetsNoOtherMessageToItsNumber() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            let messages = [
                try await exchange.message(to: "+15550100123", app), try await exchange.message(to: "+15550100123", app),
            ]
            for (name, address) in [("ann", "192.0.2.1"), ("bob", "192.0.2.2")] {
                let click = try #require(try await exchange.get(messages[0], from: address).linkClickID)
                _ = try await exchange.install(
                    app.key.branchKey,
                    ["link_identifier": .string(click), "ios_vendor_id": .string(name), "identity": .string(name)], from: address)
            }
            let people = exchange.services.people
            let bob = try await people.identity("bob", in: app.key.scope)
            let data = try await people.find([bob.id], in: app.key.scope)
            #expect((data.textMessages.count, data.clicks.count) == (1, 1))
            #expect(data.phones.isEmpty)
        }
    }

    @Test func aCopyIsOfTheUserWhoWasOnTheDeviceWhenItWasAskedFor() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            func logIn(_ name: String, on device: String) async throws {
                _ = try await exchange.install(
                    app.key.branchKey, ["identity": .string(name), "ios_vendor_id": .string(device), "os": "iOS"], from: "192.0.2.1"
                )
            }
            try await logIn("ann", on: "DEVICE-OF-ANN")
            try await logIn("mallory", on: "DEVICE-OF-MALLORY")
            let requests = exchange.services.subjectRequests
            let request = try await requests.ask(
                .access, about: [DataSubject(kind: .device, value: "DEVICE-OF-MALLORY")], in: app.key.scope)
            try await logIn("ann", on: "DEVICE-OF-MALLORY")
            let file = try await exchange.text(of: requests.export(try await requests.request(request.handle)))
            #expect(file.contains("mallory"))
            #expect(!file.contains("DEVICE-OF-ANN"))

            let unknown = try await requests.ask(.access, about: [DataSubject(kind: .device, value: "NEW")], in: app.key.scope)
            try await logIn("ann", on: "NEW")
            let empty = try await exchange.text(of: requests.export(try await requests.request(unknown.handle)))
            #expect(!empty.contains("ann"))
        }
    }

    /// A page to which the link leads knows the click's id.
    @Test func aClickStaysItsVisitorsWhereAnotherMerelyNamesIt() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            let visit = try await exchange.get(try await exchange.createLink(app.key.branchKey), from: "192.0.2.1")
            let click = JSON.string(try #require(visit.linkClickID))
            for (name, address) in [("ann", "192.0.2.1"), ("eve", "192.0.2.66")] {
                _ = try await exchange.install(
                    app.key.branchKey, ["link_identifier": click, "ios_vendor_id": .string(name), "identity": .string(name)],
                    from: address)
            }
            let people = exchange.services.people
            let (ann, eve) = (
                try await people.identity("ann", in: app.key.scope), try await people.identity("eve", in: app.key.scope)
            )
            #expect(try await people.find([eve.id], in: app.key.scope).clicks.count == 0)
            #expect(try await people.find([ann.id], in: app.key.scope).clicks.count == 1)
            _ = try await people.erase(eve)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM clicks WHERE address <> 'erased'") == 1)
            _ = try await people.erase(ann)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM clicks WHERE address <> 'erased'") == 0)
        }
    }

    @Test func aClickIsItsVisitorsAlsoWhereTheDeviceHasAnotherUserByNow() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            let key = app.key.branchKey
            let click = try #require(try await exchange.get(try await exchange.createLink(key), from: "192.0.2.1").linkClickID)
            let ann = try await exchange.install(
                key, ["link_identifier": .string(click), "ios_vendor_id": "A", "identity": "ann"], from: "192.0.2.1"
            ).object
            let login: JSONObject = [
                "branch_key": .string(key), "identity": "bob", "device_fingerprint_id": ann["device_fingerprint_id"]!,
                "identity_id": ann["identity_id"]!, "session_id": ann["session_id"]!,
            ]
            #expect(try await exchange.post("/v1/profile", .object(login), from: "192.0.2.1").status == 200)
            let people = exchange.services.people
            _ = try await people.erase(try await people.identity("ann", in: app.key.scope))
            #expect(try await exchange.rows("SELECT COUNT(*) FROM clicks WHERE address <> 'erased'") == 0)
        }
    }

    /// By the app installed again, in a browser that was beside the older one, from another network.
    @Test func aClickIsTheVisitorsWhoseAppItLedHereFirst() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            let key = app.key.branchKey
            let link = try await exchange.createLink(key)
            let first = try await exchange.get(link, from: "192.0.2.1")
            _ = try await exchange.install(
                key, ["link_identifier": .string(try #require(first.linkClickID)), "ios_vendor_id": "OLD"], from: "192.0.2.1")
            let second = try await exchange.get(link, from: "192.0.2.1", headers: Self.cookies(first))
            _ = try await exchange.install(
                key,
                ["link_identifier": .string(try #require(second.linkClickID)), "ios_vendor_id": "NEW", "identity": "ann"],
                from: "198.51.100.2")
            let people = exchange.services.people
            let ann = try await people.identity("ann", in: app.key.scope)
            #expect(try await people.find([ann.id], in: app.key.scope).clicks.count == 1)
        }
    }

    /// The other's app was matched by a guess before.
    @Test func aClickThatAnotherGotByAGuessIsErasedWithWhoCameByItForCertain() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            let key = app.key.branchKey
            let visit = try await exchange.get(try await exchange.createLink(key) + "?email=ann", from: Self.café)
            let guessed = try await exchange.install(key, ["ios_vendor_id": "S"], from: Self.café)
            #expect(try guessed.data["+match_guaranteed"] == false)
            _ = try await exchange.install(
                key, ["link_identifier": .string(try #require(visit.linkClickID)), "ios_vendor_id": "A", "identity": "ann"],
                from: "198.51.100.77")
            let people = exchange.services.people
            _ = try await people.erase(try await people.identity("ann", in: app.key.scope))
            #expect(try await exchange.rows("SELECT COUNT(*) FROM clicks WHERE address <> 'erased'") == 0)
        }
    }

    /// With the click's id, from behind the same address.
    @Test func aNeighborDoesNotTakeTheBrowserOfWhomItsClickLedHereFirst() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            let key = app.key.branchKey
            let link = try await exchange.createLink(key)
            let visit = try await exchange.get(link, from: Self.café)
            for name in ["victim", "stranger"] {
                _ = try await exchange.install(
                    key,
                    [
                        "link_identifier": .string(try #require(visit.linkClickID)), "ios_vendor_id": .string(name),
                        "identity": .string(name),
                    ], from: Self.café)
            }
            _ = try await exchange.get(link, from: "198.51.100.20", headers: Self.cookies(visit))
            let people = exchange.services.people
            func clicks(of name: String) async throws -> Int {
                try await people.find([people.identity(name, in: app.key.scope).id], in: app.key.scope).clicks.count
            }
            #expect(try await clicks(of: "stranger") == 0)
            #expect(try await clicks(of: "victim") == 2)
        }
    }

    @Test func anIDThatADeviceReportsLaterStandsForItsUserToo() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            let key = app.key.branchKey
            _ = try await exchange.install(
                key, ["hardware_id": "OLD", "google_advertising_id": "AAID-1", "os": "Android", "is_hardware_id_real": true],
                from: "192.0.2.1")
            let ann = try await exchange.install(
                key, ["hardware_id": "NEW", "identity": "ann", "os": "Android", "is_hardware_id_real": true], from: "192.0.2.1"
            ).object
            let open: JSONObject = [
                "branch_key": .string(key), "google_advertising_id": "AAID-1", "os": "Android",
                "device_fingerprint_id": ann["device_fingerprint_id"]!, "identity_id": ann["identity_id"]!,
            ]
            #expect(try await exchange.post("/v1/open", .object(open), from: "192.0.2.1").status == 200)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM devices WHERE advertising_id = 'AAID-1'") == 2)
            let first = try await exchange.installation.storage.read { try $0.firstApp(advertisingID: "AAID-1", in: app.key.scope) }
            #expect(first?.description.hardwareID == "OLD", "it reported the id first")
            let request = try await exchange.services.subjectRequests.ask(
                .access, about: [DataSubject(kind: .device, value: "AAID-1")], in: app.key.scope)
            #expect(request.subjects.contains(DataSubject(kind: .developer, value: "ann")))
        }
    }

    @Test func aCopyForAnAnonymousUserIsNotOfAUserWhoIsNamedThereLater() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            let key = app.key.branchKey
            let phone = try await exchange.install(key, ["ios_vendor_id": "D"], from: "192.0.2.66").object
            let requests = exchange.services.subjectRequests
            let device = try #require(phone["device_fingerprint_id"]?.string)
            let request = try await requests.ask(.access, about: [DataSubject(kind: .device, value: device)], in: app.key.scope)
            #expect(try await exchange.text(of: requests.export(try await requests.request(request.handle))).contains("identity_"))
            let open: JSONObject = [
                "branch_key": .string(key), "identity": "victim", "os": "iOS", "device_fingerprint_id": .string(device),
                "identity_id": phone["identity_id"]!,
            ]
            #expect(try await exchange.post("/v1/open", .object(open), from: "192.0.2.66").status == 200)
            _ = try await exchange.install(key, ["ios_vendor_id": "PHONE-OF-VICTIM", "identity": "victim"], from: "192.0.2.1")
            let file = try await exchange.text(of: requests.export(try await requests.request(request.handle)))
            #expect(!file.contains("victim") && !file.contains("PHONE-OF-VICTIM"), "\(file)")
        }
    }

    /// A page of the app's own hosts, where the browser has an id of its own, and a user without a name.
    @Test func whatABrowserBesideTheAppDidOnPagesIsErasedWithItsUser() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            let key = app.key.branchKey
            let visit = try await exchange.get(try await exchange.createLink(key), from: Self.café)
            _ = try await exchange.install(
                key, ["link_identifier": .string(try #require(visit.linkClickID)), "identity": "ann"], from: Self.café)
            var headers = Self.cookies(visit)
            headers[.referer] = "https://shop.orchard.example.com/pears"
            let number = try await exchange.get("/_r?callback=f&branch_key=\(key)", from: Self.café, headers: headers)
            let browser = String(try #require(number.body.firstMatch(of: /[0-9]{18}/)?.0))
            let page = Exchange.webSDK.merging(["branch_key": .string(key), "browser_fingerprint_id": .string(browser)])
            let open = try await exchange.post("/v1/open", .object(page), from: Self.café)
            #expect(open.status == 200, "\(open.body)")
            #expect(try await exchange.rows("SELECT COUNT(*) FROM devices WHERE is_browser = 1") == 1)

            let people = exchange.services.people
            let ann = try await people.identity("ann", in: app.key.scope)
            #expect(try await people.find([ann.id], in: app.key.scope).sessions.count == 2)
            _ = try await people.erase(ann)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM devices") == 0)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM sessions WHERE identity_id IS NOT NULL") == 0)
        }
    }
}

extension Exchange {
    /// Returns the path of a text message to a phone.
    fileprivate func message(to phone: String, _ app: (key: AppKey, secret: String)) async throws -> String {
        let link = try await services.links.find(String(try await createLink(app.key.branchKey).dropFirst()))
        let id = try await installation.storage.write { transaction in
            let message = TextMessage(
                id: try transaction.newID(), scope: app.key.scope, link: link.id, query: nil, phone: try PhoneNumber(phone))
            try transaction.insert(message)
            return message.id
        }
        return "/c/" + services.publicIDs.string(for: id)
    }

    /// Returns the whole of a file.
    func text(of export: PersonalDataExport) async throws -> String {
        var (export, bytes) = (export, [UInt8]())
        while let part = try await export.next() { bytes += part }
        return String(decoding: bytes, as: UTF8.self)
    }
}
