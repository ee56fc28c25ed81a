import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// What other users' sessions say of the clicks of an erased person.
@Suite struct ErasedTraitsTests {
    private static let café = "203.0.113.141"

    private static func phone(_ name: String, _ model: String) -> JSONObject {
        [
            "identity": .string(name), "hardware_id": .string("HARDWARE-OF-" + name), "is_hardware_id_real": true,
            "os": "Android", "os_version": 34, "model": .string(model),
        ]
    }

    @Test func aSessionThatWasComparedWithAClickForgetsTheTraitsOfItsErasedVisitor() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            let key = app.key.branchKey
            let path = try await exchange.createLink(key)
            let click = try #require(try await exchange.get(path, userAgent: UserAgents.android, from: Self.café).linkClickID)
            let other = UserAgents.android.replacing("Pixel 8", with: "Pixel 6")
            _ = try await exchange.get(path, userAgent: other, from: Self.café)
            let bob = try await exchange.install(key, Self.phone("bob", "Pixel 7"), from: Self.café)
            #expect(try bob.data["+clicked_branch_link"] == false)
            _ = try await exchange.install(
                key, Self.phone("alice", "Pixel 8").merging(["link_identifier": .string(click)]), from: "192.0.2.1")
            let id = try #require(bob.object["session_id"]?.scalarText)
            let before = try await exchange.services.explanations.session(id)
            #expect(before.evidence?.fingerprintSignals?.clicks.count == 2)
            #expect(try await exchange.traces(of: ["Pixel 8"]).contains { $0.table == "sessions" })

            let people = exchange.services.people
            #expect(try await people.erase(try await people.identity("alice", in: app.key.scope)).clicks == 1)
            #expect(try await !exchange.traces(of: ["Pixel 8"]).contains { $0.table == "sessions" })

            let after = try await exchange.services.explanations.session(id)
            #expect(after.evidence == nil)
            #expect(after.explanation.reason == before.explanation.reason)
            let explanation = try await exchange.services.explanations.explanation(of: after)
            let compared = explanation.session.explanation.candidates.map(\.candidate)
            #expect(compared.map(\.click) == before.explanation.candidates.map(\.candidate.click))
            let erased: Click.ID? = exchange.services.publicIDs.id(for: click)
            for candidate in compared { #expect(candidate.signals.isEmpty == (candidate.click == erased)) }
            #expect(compared.contains { $0.signals.contains { $0.seen.contains("Pixel 6") } })
        }
    }

    @Test func aSessionThatNamesNoneOfTheErasedClicksKeepsItsEvidence() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            let key = app.key.branchKey
            let path = try await exchange.createLink(key)
            let click = try #require(try await exchange.get(path, userAgent: UserAgents.android, from: "192.0.2.1").linkClickID)
            _ = try await exchange.get(path, userAgent: UserAgents.android, from: Self.café)
            let bob = try await exchange.install(key, Self.phone("bob", "Pixel 7"), from: Self.café)
            _ = try await exchange.install(
                key, Self.phone("alice", "Pixel 8").merging(["link_identifier": .string(click)]), from: "192.0.2.1")
            let id = try #require(bob.object["session_id"]?.scalarText)
            let before = try await exchange.services.explanations.session(id)
            let people = exchange.services.people
            _ = try await people.erase(try await people.identity("alice", in: app.key.scope))
            let after = try await exchange.services.explanations.session(id)
            #expect(before.evidence?.fingerprintSignals?.clicks.isEmpty == false)
            #expect(after.evidence == before.evidence && after.explanation == before.explanation)
        }
    }

    @Test func howCertainAMatchWasIsStillKnownWithoutItsSignals() throws {
        let stored = try StoredDecision(
            json: [
                "outcome": "matched", "reason": "The click came from this address.", "rule_version": 6, "matcher": "fingerprint",
                "candidates": [
                    [
                        "click": 7, "link": 1, "matcher": "fingerprint", "reason": "It fits.", "won": true,
                        "signals": [
                            ["name": "address", "seen": "the same", "points": 64],
                            ["name": "model", "seen": "both Pixel 8", "points": 6],
                        ],
                    ]
                ],
            ])
        let erased = stored.withoutSignals { $0 == Click.ID(rawValue: 7) }
        #expect(erased.candidates.map(\.candidate.score) == [70])
        #expect(erased.candidates.map(\.candidate.hasWon) == [true])
        #expect(!erased.json.text.contains("Pixel") && !erased.json.text.contains("the same"))
        #expect(try StoredDecision(json: erased.json) == erased)
        #expect(stored.withoutSignals { $0 == Click.ID(rawValue: 8) } == stored)
    }
}
