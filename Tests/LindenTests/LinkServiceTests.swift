import Linden
import LindenTesting
import SQLiteStorage
import Testing

@Suite struct LinkServiceTests {
    @Test func aLinkIsFoundByURLSlugOrId() async throws {
        try await Installation.run { installation in
            let app = try await installation.services.apps.context(installation.createApp().live.key.branchKey)
            let link = try await installation.services.links.mint(NewLink(alias: "shop/pears"), for: app)
            for reference in ["https://go.example.com/shop/pears?x=1", "shop/pears", String(link.id.rawValue)] {
                let found = try await installation.services.links.find(reference)
                #expect(found.id == link.id)
            }
        }
    }

    @Test func anotherHostsURLIsNoLinkOfOurs() async throws {
        try await Installation.run { installation in
            let app = try await installation.services.apps.context(installation.createApp().live.key.branchKey)
            _ = try await installation.services.links.mint(NewLink(alias: "pears"), for: app)
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
            for app in [shared, own] { _ = try await installation.services.links.mint(NewLink(alias: "pears"), for: app) }

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
            let link = try await links.mint(NewLink(alias: "pears"), for: app)
            try await links.delete(link.id)
            await #expect(throws: Failure.self) { try await links.mint(NewLink(alias: "pears"), for: app) }
            try await links.delete(link.id, freeAddress: true)
            let again = try await links.mint(NewLink(alias: "pears"), for: app)
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
                _ = try await installation.services.links.mint(NewLink(data: data), for: app)
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
            _ = try await links.mint(NewLink(alias: "pears"), for: app)
            let refused = NewLink(
                alias: "pears", labels: Labels(channel: "x"), data: ["$canonical_identifier": "new"], identity: "newcomer")
            await #expect(throws: Failure.self) { try await links.mint(refused, for: app) }
            let (object, identity) = try await installation.storage.read {
                (try $0.object("new", in: app.scope), try $0.identity("newcomer", in: app.scope))
            }
            #expect(object == nil)
            #expect(identity == nil)
        }
    }
}
