import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import SQLiteStorage
import Testing

@Suite struct ErasureTests {
    private static let ann: JSONObject = [
        "hardware_id": "HARDWARE-OF-ANN", "is_hardware_id_real": true, "identity": "ann@orchard.example", "model": "iPhone15,2",
    ]

    @Test(.enabled(if: Engine.isSQLite)) func aPersonIsGoneFromAllFilesAndTheTotalsStay() async throws {
        try await Installation.withFolder { folder in
            try await Exchange.run(path: folder + "/linden.db", privacy: AddressPrivacy(.raw)) { exchange in
                let key = try await exchange.installation.createApp().live.key.branchKey
                let bob = try await exchange.install(key, ["identity": "bob@orchard.example"], from: "192.0.2.9")
                let path = try await exchange.createLink(key, ["alias": "pears", "identity": "bob@orchard.example"])
                _ = try await exchange.get(
                    path + "?note=sent-to-ann", from: "198.51.100.7", headers: [.referer: "https://mail.example/"])
                let install = try await exchange.install(key, Self.ann, from: "198.51.100.7")
                #expect(try install.data["note"] == "sent-to-ann")
                let tokens = install.object.filter { key, _ in key.hasPrefix("randomized_") }
                _ = try await exchange.post(
                    "/v2/event/custom",
                    [
                        "name": "pruned", "branch_key": .string(key), "custom_data": ["tree": "tree-of-ann"],
                        "user_data": ["developer_identity": "ann@orchard.example", "idfv": "HARDWARE-OF-ANN"],
                    ])
                _ = try await exchange.post("/v1/open", .object(tokens.merging(["branch_key": .string(key)])))
                _ = try await exchange.createLink(key, ["alias": "anns", "identity": "ann@orchard.example"])
                let texts = ["ann@orchard.example", "HARDWARE-OF-ANN", "tree-of-ann", "sent-to-ann", "198.51.100.7"]
                #expect(try AddressPrivacyTests.texts(in: folder, of: texts) == texts)

                let link = try await exchange.services.links.find("pears")
                let before = try await exchange.services.statistics.statistics(of: link.id, in: link.scope)
                #expect(before == LinkStatistics(clicks: 1, sessions: 1, installs: 1))
                let erased = try await exchange.erase("ann@orchard.example", key)
                #expect(erased.devices == 1)
                #expect(erased.sessions == 2)
                #expect(erased.events == 1)
                #expect(erased.clicks == 1)
                #expect(erased.links == 1)
                #expect(erased.isLogEmpty)
                #expect(try AddressPrivacyTests.texts(in: folder, of: texts).isEmpty)

                #expect(try await exchange.services.statistics.statistics(of: link.id, in: link.scope) == before)
                exchange.installation.clock.advance(by: .seconds(60))
                try await exchange.services.maintenance.runOnce()
                #expect(try await exchange.services.statistics.statistics(of: link.id, in: link.scope) == before)
                // The other user is unchanged, and so are the data of Ann's link.
                #expect(try AddressPrivacyTests.texts(in: folder, of: ["bob@orchard.example"]).count == 1)
                let context = try await exchange.services.directory.app(branchKey: key)
                let other = try await exchange.services.people.identity("bob@orchard.example", in: context.scope)
                #expect(try await exchange.services.people.summary(of: other).sessions == 1)
                #expect(exchange.services.publicIDs.string(for: other.id) == bob.object["identity_id"]?.string)
                let orphan = try await exchange.services.links.find("anns")
                #expect(orphan.owner == nil && orphan.deletedAt == nil)
            }
        }
    }

    /// The sessions are erased before the aggregate has counted them.
    @Test func sessionsThatWereNotCountedYetAreCountedOnce() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["alias": "pears"])
            let link = try await exchange.services.links.find("pears")
            for name in ["ann", "bob"] {
                let click = try #require(try await exchange.get(path).linkClickID)
                _ = try await exchange.install(
                    key, ["link_identifier": .string(click), "identity": .string(name)], from: "192.0.2.1")
            }
            _ = try await exchange.erase("ann", key)
            let expected = LinkStatistics(clicks: 2, sessions: 2, installs: 2)
            #expect(try await exchange.services.statistics.statistics(of: link.id, in: link.scope) == expected)
            exchange.installation.clock.advance(by: .seconds(10))
            try await exchange.services.statistics.aggregate()
            #expect(try await exchange.services.statistics.statistics(of: link.id, in: link.scope) == expected)
        }
    }

    @Test func aDeviceThatAnotherNamedUserHasUsedIsKept() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let first = try await exchange.install(key, ["identity": "ann"])
            let device = first.object["randomized_device_token"]!
            _ = try await exchange.post(
                "/v1/open", ["branch_key": .string(key), "randomized_device_token": device, "identity": "bob"])
            let erased = try await exchange.erase("ann", key)
            #expect(erased.devices == 0)
            #expect(erased.sessions == 1)
            let context = try await exchange.services.directory.app(branchKey: key)
            let bob = try await exchange.services.people.identity("bob", in: context.scope)
            let summary = try await exchange.services.people.summary(of: bob)
            let devices: [String?] = summary.devices.map { exchange.services.publicIDs.string(for: $0.id) }
            #expect(devices == [device.string])
            #expect(summary.sessions == 1)
        }
    }

    @Test func anonymousUsersOfTheSubjectsDeviceAreErased() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let install = try await exchange.install(key, ["identity": "ann"])
            let tokens = install.object.filter { key, _ in key.hasPrefix("randomized_") }
            _ = try await exchange.post("/v1/logout", .object(tokens.merging(["branch_key": .string(key)])))
            let erased = try await exchange.erase("ann", key)
            #expect(erased.identities == 2)
            #expect(erased.devices == 1)
            #expect(erased.sessions == 2)
            // The SDK's tokens are no longer valid.
            let open = try await exchange.post("/v1/open", .object(tokens.merging(["branch_key": .string(key)])))
            #expect(open.status == 200)
            #expect(open.object["randomized_device_token"] != install.object["randomized_device_token"])
        }
    }

    @Test func whomSheBroughtForgetsHer() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let owner = try await exchange.install(key, ["identity": "ann"], from: "192.0.2.1")
            let path = try await exchange.createLink(key, ["identity_id": owner.object["identity_id"]!])
            let click = try #require(try await exchange.get(path).linkClickID)
            let friend = try await exchange.install(key, ["link_identifier": .string(click)], from: "192.0.2.2")
            let id = try #require(friend.object["session_id"]?.scalarText)
            #expect(try await exchange.services.explanations.session(id).referrer != nil)
            _ = try await exchange.erase("ann", key)
            #expect(try await exchange.services.explanations.session(id).referrer == nil)
            // The link continues to work without its creator.
            let next = try #require(try await exchange.get(path).linkClickID)
            let later = try await exchange.install(key, ["link_identifier": .string(next)], from: "192.0.2.3")
            #expect(try later.data["+clicked_branch_link"] == true)
        }
    }

    @Test func thePhoneNumbersAndRetryKeysOfTheSubjectAreErased() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.createLink(key, ["alias": "pears"])
            let link = try await exchange.services.links.find("pears")
            let messages = try await exchange.installation.storage.write { transaction in
                try ["+15550100001", "+15550100001", "+15550100002"].map { number in
                    let message = TextMessage(
                        id: try transaction.newID(), scope: link.scope, link: link.id, query: nil, phone: try PhoneNumber(number))
                    try transaction.insert(message)
                    return message.id
                }
            }
            let call = "/c/" + exchange.services.publicIDs.string(for: messages[0])
            let click = try #require(try await exchange.get(call).linkClickID)
            let install = try await exchange.install(
                key, Self.ann.merging(["link_identifier": .string(click), "branch_sdk_request_unique_id": "call-of-ann"]))
            #expect(try install.data["+phone_number"] == "+15550100001")
            _ = try await exchange.createLink(
                key, ["branch_sdk_request_unique_id": "mint-of-ann", "hardware_id": "HARDWARE-OF-ANN"])
            let before = try await exchange.requests(link.scope)
            #expect(before.count == 2)
            // The call that made a link of no one's is remembered, without a name of its device.
            #expect(before.allSatisfy { !$0.contains("of-ann") && !$0.contains("HARDWARE") })
            let erased = try await exchange.erase("ann@orchard.example", key)
            #expect(erased.textMessages == 2)
            #expect(erased.clicks == 1)
            let left = try await exchange.installation.storage.read { try messages.compactMap($0.textMessage).map(\.id) }
            #expect(left == [messages[2]])
            let after = try await exchange.requests(link.scope)
            #expect(after.count == 1 && after.allSatisfy { $0.hasPrefix("v1/url") })
            // The log keeps the click without the data that identify its visitor.
            let id: Click.ID = try #require(exchange.services.publicIDs.id(for: click))
            let logged = try #require(try await exchange.installation.storage.read { try $0.click(id) })
            #expect(logged.link == link.id && logged.address == "erased")
            #expect(logged.via == nil && logged.browser == nil && logged.userAgent == "" && logged.query == nil)
        }
    }

    @Test func anotherAppsUserOfTheSameNameIsLeftAlone() async throws {
        try await Exchange.run { exchange in
            let one = try await exchange.installation.createApp().live.key.branchKey
            let other = try await exchange.installation.createApp("Meadow").live.key.branchKey
            for key in [one, other] {
                _ = try await exchange.install(key, ["identity": "ann", "hardware_id": "H-1", "is_hardware_id_real": true])
            }
            _ = try await exchange.erase("ann", one)
            let scope = try await exchange.services.directory.app(branchKey: other).scope
            let kept = try await exchange.services.people.identity("ann", in: scope)
            #expect(try await exchange.services.people.summary(of: kept).sessions == 1)
            await #expect(throws: Failure.self) { try await exchange.erase("ann", one) }
        }
    }
}

extension Exchange {
    fileprivate func erase(_ name: String, _ key: String) async throws -> ErasureReport {
        let scope = try await services.directory.app(branchKey: key).scope
        return try await services.people.erase(try await services.people.identity(name, in: scope))
    }

    /// The keys of the stored idempotent requests.
    fileprivate func requests(_ scope: Scope) async throws -> [String] {
        try await installation.storage.read { try $0.requests(of: scope, after: "", limit: 10).map(\.key) }
    }
}
